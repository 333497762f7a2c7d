import { useState } from 'react';
import { useQuery } from 'urql';
import { useLocation } from 'wouter';
import { errorOf } from '../api/api.ts';
import { DirectoryDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { roomPath } from '../shell/paths.ts';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import styles from './rooms.module.css';
import { type RoomFromOutside, SeatChoice } from './SeatChoice.tsx';
import { Seats } from './Seats.tsx';

export interface DirectoryProps {
  readonly onClose: () => void;
}

/** The public rooms, to join. */
export default function Directory({ onClose }: DirectoryProps) {
  const { t } = useI18n();
  return (
    <Modal title={t('directory.title')} open onClose={onClose}>
      <ul className={styles.directory}>
        <Page onClose={onClose} />
      </ul>
    </Modal>
  );
}

interface PageProps extends DirectoryProps {
  /** Left out: the first one. */
  readonly after?: string;
}

/** A page, and those behind it that were asked for: each begins where the one before it ends now. */
function Page({ after, onClose }: PageProps) {
  const { t, problem } = useI18n();
  const [hasMore, setHasMore] = useState(false);
  const [{ data, error }, ask] = useQuery({
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
        <button type="button" className={ui.quiet} onClick={() => ask({ requestPolicy: 'network-only' })}>
          {t('app.retry')}
        </button>
      </li>
    );
  // Null while it is asked for again after it has failed.
  if (data == null) return <li className={ui.soft}>{t('app.loading')}</li>;
  const { edges, pageInfo } = data.rooms;
  if (edges.length === 0 && after === undefined) return <li className={ui.soft}>{t('directory.empty')}</li>;
  return (
    <>
      {edges.map(({ node }) => (
        <li key={node.id}>
          <Entry room={node} isMember={node.viewerMembership !== null} onClose={onClose} />
        </li>
      ))}
      {pageInfo.hasNextPage &&
        pageInfo.endCursor !== null &&
        (hasMore ? (
          <Page key={pageInfo.endCursor} after={pageInfo.endCursor} onClose={onClose} />
        ) : (
          <li>
            <button type="button" className={ui.quiet} onClick={() => setHasMore(true)}>
              {t('directory.more')}
            </button>
          </li>
        ))}
    </>
  );
}

interface EntryProps extends DirectoryProps {
  readonly room: RoomFromOutside;
  readonly isMember: boolean;
}

function Entry({ room, isMember, onClose }: EntryProps) {
  const { t } = useI18n();
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
        <SeatChoice room={room} onIn={open} />
      )}
    </div>
  );
}
