import type { Outgoing } from '../composer/outbox.ts';
import { OutgoingView } from './OutgoingView.tsx';
import styles from './Timeline.module.css';

/**
 * What was written and is not sent, below a list of which the end is not loaded: nobody shall think that it is
 * lost, and write it again.
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
