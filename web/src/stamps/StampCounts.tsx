import { useEffect, useState } from 'react';
import type { StampPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { LikeCount } from '../likes/LikeCount.tsx';
import { useSession } from '../session/session.ts';
import type { Message } from '../timeline/message.ts';
import type { MessageActions } from '../timeline/useMessageActions.ts';
import { Tip } from '../ui/Tip.tsx';
import { stampLabel } from './labels.ts';
import { type PutStamp, stampsOn } from './ownStamp.ts';
import styles from './stamps.module.css';

export interface StampCountsProps {
  readonly message: Message;
  readonly actions: MessageActions;
}

/** The likes and stamps under a message, with their counts. A press adds or removes the viewer's own. */
export function StampCounts({ message, actions }: StampCountsProps) {
  const { t } = useI18n();
  if (message.stampCounts.length === 0 && message.likeCount === 0) return null;
  return (
    <ul className={styles.counts}>
      {message.likeCount > 0 && (
        <li>
          <LikeCount message={message} actions={actions} />
        </li>
      )}
      {message.stampCounts.map(({ stamp, count, viewerHasStamped }) => (
        <li key={stamp.key}>
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
              onClick={() => actions.toggleStamp(stamp)}
            >
              <img src={stamp.imageUrl} alt="" width={20} height={20} />
              <span>{count}</span>
            </button>
          </Tip>
        </li>
      ))}
    </ul>
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
