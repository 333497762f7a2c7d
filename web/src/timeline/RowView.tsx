import { useI18n } from '../i18n/i18n.ts';
import { RoomStart } from '../rooms/RoomStart.tsx';
import styles from './Message.module.css';
import { MessageView } from './MessageView.tsx';
import { OutgoingView } from './OutgoingView.tsx';
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
      return place === 'timeline' ? <RoomStart /> : <div className={styles.gap} />;
    default:
      return <div className={styles.more}>{t('app.loading')}</div>;
  }
}
