import { Hash } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import styles from './Message.module.css';
import { MessageView } from './MessageView.tsx';
import { OutgoingView } from './OutgoingView.tsx';
import { useRoom } from './RoomContext.ts';
import type { Row } from './rows.ts';

export interface RowViewProps {
  readonly row: Row;
  /** Whether the Tab key comes to it. */
  readonly isActive: boolean;
  readonly in: 'timeline' | 'thread';
}

export function RowView({ row, isActive, in: place }: RowViewProps) {
  const { t, day } = useI18n();
  switch (row.kind) {
    case 'message':
      return <MessageView message={row.message} isCompact={row.compact} isActive={isActive} in={place} />;
    case 'outgoing':
      return <OutgoingView outgoing={row.outgoing} isCompact={row.compact} />;
    case 'day':
      return (
        <div className={styles.day}>
          <span>{day(row.at)}</span>
        </div>
      );
    case 'unread':
      return (
        <div className={styles.unread}>
          <span>{t('timeline.new')}</span>
        </div>
      );
    case 'start':
      return place === 'timeline' ? <Start /> : <div className={styles.gap} />;
    default:
      return <div className={styles.more}>{t('app.loading')}</div>;
  }
}

/** Where the room begins. */
function Start() {
  const { t } = useI18n();
  const { roomName } = useRoom();
  return (
    <div className={styles.start}>
      <span className={styles.startIcon}>
        <Hash aria-hidden="true" />
      </span>
      <p>{t('timeline.start', { name: roomName })}</p>
    </div>
  );
}
