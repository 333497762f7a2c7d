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
      <List onClose={onClose} />
    </Modal>
  );
}

function List({ onClose }: DirectoryProps) {
  const { t, problem } = useI18n();
  const [after, setAfter] = useState<string>();
  const [{ data, fetching, error }, ask] = useQuery({
    query: DirectoryDocument,
    variables: after === undefined ? {} : { after },
    requestPolicy: 'cache-and-network',
  });
  const edges = data?.rooms.edges ?? [];
  const pageInfo = data?.rooms.pageInfo;
  if (error !== undefined)
    return (
      <>
        <p className={ui.error} role="alert">
          {problem(errorOf(error))}
        </p>
        <button type="button" className={ui.quiet} onClick={() => ask({ requestPolicy: 'network-only' })}>
          {t('app.retry')}
        </button>
      </>
    );
  if (edges.length === 0) return <p className={ui.soft}>{t(fetching ? 'app.loading' : 'directory.empty')}</p>;
  return (
    <>
      <ul className={styles.directory}>
        {edges.map(({ node }) => (
          <li key={node.id}>
            <Entry room={node} isMember={node.viewerMembership !== null} onClose={onClose} />
          </li>
        ))}
      </ul>
      {pageInfo?.hasNextPage === true && (
        <button type="button" className={ui.quiet} onClick={() => setAfter(pageInfo.endCursor ?? undefined)}>
          {t('directory.more')}
        </button>
      )}
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
