import { useEffect, useState } from 'react';
import type { StampPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import styles from '../reactions/reactions.module.css';
import { useSession } from '../session/session.ts';
import type { Message } from '../timeline/message.ts';
import { Tip } from '../ui/Tip.tsx';
import { stampLabel } from './labels.ts';
import { type PutStamp, stampsOn } from './ownStamp.ts';

export interface StampCountProps {
  readonly message: Message;
  readonly count: Message['stampCounts'][number];
  readonly onToggle: () => void;
}

/** One stamp on a message, with its count. */
export function StampCount({
  message,
  count: { stamp, count, viewerHasStamped },
  onToggle,
}: StampCountProps) {
  const { t } = useI18n();
  return (
    <Tip content={<Who messageId={message.id} stamp={stamp} version={message.version} />}>
      <button
        type="button"
        className={styles.count}
        aria-pressed={viewerHasStamped}
        aria-label={t('stamp.count', {
          label: stampLabel(stamp, t),
          count,
          own: viewerHasStamped ? 'yes' : 'no',
        })}
        onClick={onToggle}
      >
        <img src={stamp.imageUrl} alt="" width={20} height={20} />
        <span>{count}</span>
      </button>
    </Tip>
  );
}

interface WhoProps {
  readonly messageId: string;
  readonly stamp: StampPartsFragment;
  readonly version: number;
}

/** The names of the users who added the stamp, oldest first. */
function Who({ messageId, stamp, version }: WhoProps) {
  const { t } = useI18n();
  const { api } = useSession();
  const [put, setPut] = useState<readonly PutStamp[]>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the message has changed.
  useEffect(() => {
    let isOver = false;
    stampsOn(api, messageId).then(
      (stamps) => isOver || setPut(stamps),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, messageId, version]);
  const names = put?.filter((one) => one.stamp.key === stamp.key).map(({ user }) => user.displayName);
  return t('stamp.by', { label: stampLabel(stamp, t), names: names?.join(', ') ?? '…' });
}
