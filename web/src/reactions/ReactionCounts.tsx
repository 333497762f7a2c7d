import { Plus } from 'lucide-react';
import { useI18n } from '../i18n/i18n.ts';
import { StampCount } from '../stamps/StampCount.tsx';
import type { Message } from '../timeline/message.ts';
import type { MessageActions } from '../timeline/useMessageActions.ts';
import styles from './reactions.module.css';
import { ToggleCount } from './ToggleCount.tsx';
import { TOGGLES } from './toggles.ts';

export interface ReactionCountsProps {
  readonly message: Message;
  readonly actions: MessageActions;
  /** The viewer wants to add a stamp. */
  readonly onAdd: () => void;
}

/** The reactions to a message, with their counts. A press adds or removes the viewer's own. */
export function ReactionCounts({ message, actions, onAdd }: ReactionCountsProps) {
  const { t } = useI18n();
  const toggles = TOGGLES.filter((toggle) => toggle.countOf(message) > 0);
  if (message.stampCounts.length === 0 && toggles.length === 0) return null;
  const add = t(message.stampCounts.length === 0 ? 'message.react' : 'message.reactAgain');
  return (
    <ul className={styles.counts}>
      {toggles.map((toggle) => (
        <li key={toggle.name}>
          <ToggleCount toggle={toggle} message={message} onToggle={() => actions.toggle(toggle)} />
        </li>
      ))}
      {message.stampCounts.map((count) => (
        <li key={count.stamp.key}>
          <StampCount message={message} count={count} onToggle={() => actions.toggleStamp(count.stamp)} />
        </li>
      ))}
      <li>
        <button
          type="button"
          className={`${styles.count} ${styles.add}`}
          aria-label={add}
          aria-haspopup="dialog"
          title={add}
          onClick={onAdd}
        >
          <Plus aria-hidden="true" />
        </button>
      </li>
    </ul>
  );
}
