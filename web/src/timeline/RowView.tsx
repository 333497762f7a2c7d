import { useI18n } from '../i18n/i18n.ts';
import { RoomStart } from '../rooms/RoomStart.tsx';
import styles from './Message.module.css';
import { MessageView } from './MessageView.tsx';
import { OutgoingView } from './OutgoingView.tsx';
import type { MessageRow, OutgoingRow, Row } from './rows.ts';

export interface RowViewProps {
  readonly row: Row;
  /** Whether the Tab key reaches it. */
  readonly isActive: boolean;
  readonly in: 'timeline' | 'thread';
  /** Whether it is edited because the viewer pressed Arrow Up, and what is called at the end of that. */
  readonly isEdited: boolean;
  readonly onEdited: (hasFocus: boolean) => void;
}

export function RowView({ row, isActive, in: pane, isEdited, onEdited }: RowViewProps) {
  switch (row.kind) {
    case 'start':
      return pane === 'timeline' ? <RoomStart /> : <div className={styles.gap} />;
    case 'message':
      return (
        <>
          <Lines row={row} />
          <MessageView
            message={row.message}
            isCompact={row.compact}
            in={pane}
            isActive={isActive}
            isEdited={isEdited}
            onEdited={onEdited}
          />
        </>
      );
    case 'outgoing':
      return (
        <>
          <Lines row={row} />
          <OutgoingView outgoing={row.outgoing} isCompact={row.compact} />
        </>
      );
  }
}

/** The line where a day begins, where the unread messages begin, or for both. */
function Lines({ row: { day, unread } }: { readonly row: MessageRow | OutgoingRow }) {
  const { t, day: dayOf } = useI18n();
  if (day === undefined && !unread) return null;
  return (
    <div className={unread ? `${styles.line} ${styles.unread}` : styles.line}>
      {day !== undefined && <span className={styles.day}>{dayOf(day)}</span>}
      {unread && <span>{t('timeline.new')}</span>}
    </div>
  );
}
