import { useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { errorOf } from '../api/api.ts';
import { DirectoryDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { roomPath } from '../shell/paths.ts';
import { rankOf } from '../ui/fuzzy.ts';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import styles from './rooms.module.css';
import { type PreviewedRoom, SeatChoice } from './SeatChoice.tsx';
import { Seats } from './Seats.tsx';
import { useOwnRooms } from './useOwnRooms.ts';
import { useWaitedFor, Waiting } from './Waiting.tsx';

export interface DirectoryProps {
  readonly onClose: () => void;
}

/** Lists the public rooms, and lets the viewer join them. */
export default function Directory({ onClose }: DirectoryProps) {
  const { t } = useI18n();
  const [wanted, setWanted] = useState('');
  const waited = useWaitedFor();
  const shown = wanted.trim();
  return (
    <Modal title={t('directory.title')} open onClose={onClose}>
      <input
        className={ui.input}
        type="search"
        placeholder={t('directory.search')}
        aria-label={t('directory.search')}
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
      />
      <Waiting rooms={waited.filter((room) => isFound(room, shown))}>
        {(room) => <Entry room={room} onClose={onClose} />}
      </Waiting>
      <ul className={styles.directory}>
        <Page number={1} wanted={shown} above={new Set(waited.map(({ id }) => id))} onClose={onClose} />
      </ul>
    </Modal>
  );
}

interface PageProps extends DirectoryProps {
  /** Undefined for the first page. */
  readonly after?: string;
  /** The first page is 1. */
  readonly number: number;
  /** The ids of the rooms that are above the list. */
  readonly above: ReadonlySet<string>;
  /** What the user searches for in names and topics. */
  readonly wanted: string;
}

/** A search reads at most these pages by itself. */
const SEARCHED_PAGES = 20;

/** A page, and the requested pages after it. Each begins at the current end of the one before. */
function Page({ after, number, wanted, above, onClose }: PageProps) {
  const { t, problem } = useI18n();
  const [hasMore, setHasMore] = useState(false);
  const [{ data, error }, refetch] = useQuery({
    query: DirectoryDocument,
    variables: after === undefined ? {} : { after },
    requestPolicy: 'cache-and-network',
  });
  if (error !== undefined)
    return (
      <li>
        <p className={ui.error} role="alert">
          {problem(errorOf(error))}
        </p>
        <button type="button" className={ui.quiet} onClick={() => refetch({ requestPolicy: 'network-only' })}>
          {t('app.retry')}
        </button>
      </li>
    );
  // Null while a failed request is sent again.
  if (data == null) return <li className={ui.soft}>{t('app.loading')}</li>;
  const { edges, pageInfo } = data.rooms;
  if (edges.length === 0 && after === undefined) return <li className={ui.soft}>{t('directory.empty')}</li>;
  const found = edges.filter(({ node }) => !above.has(node.id) && isFound(node, wanted));
  const isSearching = wanted !== '' && number < SEARCHED_PAGES;
  return (
    <>
      {found.map(({ node }) => (
        <li key={node.id}>
          <Entry room={node} onClose={onClose} />
        </li>
      ))}
      {pageInfo.hasNextPage &&
        pageInfo.endCursor !== null &&
        (hasMore || isSearching ? (
          <Page
            key={pageInfo.endCursor}
            after={pageInfo.endCursor}
            number={number + 1}
            wanted={wanted}
            above={above}
            onClose={onClose}
          />
        ) : (
          <li>
            <button type="button" className={ui.quiet} onClick={() => setHasMore(true)}>
              {t('directory.more')}
            </button>
          </li>
        ))}
      {wanted !== '' && !pageInfo.hasNextPage && <li className={styles.none}>{t('directory.none')}</li>}
    </>
  );
}

const isFound = ({ name, topic }: PreviewedRoom, wanted: string): boolean =>
  wanted === '' || [name, topic ?? ''].some((text) => rankOf(text, wanted) !== undefined);

interface EntryProps extends DirectoryProps {
  readonly room: PreviewedRoom & { readonly viewerMembership?: { readonly id: string } | null };
}

function Entry({ room, onClose }: EntryProps) {
  const { t } = useI18n();
  // The list of rooms knows first that a seat came, or that the viewer was removed.
  const isMember = useOwnRooms()?.some((own) => own.room.id === room.id) ?? room.viewerMembership != null;
  const [, navigate] = useLocation();
  const { id, name, topic } = room;

  const open = () => {
    onClose();
    navigate(roomPath(id));
  };

  return (
    <div className={styles.entry}>
      <div className={styles.about}>
        <strong dir="auto">{name}</strong>
        {topic !== null && <p dir="auto">{topic}</p>}
        <Seats room={room} />
      </div>
      {isMember ? (
        <button
          type="button"
          className={ui.quiet}
          aria-label={t('directory.openNamed', { name })}
          onClick={open}
        >
          {t('directory.open')}
        </button>
      ) : (
        <SeatChoice room={room} onJoined={open} />
      )}
    </div>
  );
}
