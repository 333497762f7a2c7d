import type { Outgoing } from '../composer/outbox.ts';
import { OutgoingView } from './OutgoingView.tsx';
import styles from './Timeline.module.css';

/**
 * The messages that are being sent, below a list whose end is not loaded. Without them a user might think that a
 * message is lost, and write it again.
 */
export function Unsent({ outgoing }: { readonly outgoing: readonly Outgoing[] }) {
  if (outgoing.length === 0) return null;
  return (
    <div className={styles.unsent}>
      {outgoing.map((one) => (
        <OutgoingView key={one.key} outgoing={one} isCompact />
      ))}
    </div>
  );
}
