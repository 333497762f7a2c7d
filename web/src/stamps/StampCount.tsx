import { useCallback } from 'react';
import type { StampPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { nameOf } from '../members/name.ts';
import { CountButton } from '../reactions/CountButton.tsx';
import { useReactors } from '../reactions/useReactors.ts';
import { useSession } from '../session/session.ts';
import type { Message } from '../timeline/message.ts';
import { stampsOn } from './findStamps.ts';
import { stampLabel } from './labels.ts';
import { StampFace } from './StampFace.tsx';

export interface StampCountProps {
  readonly message: Message;
  readonly count: Message['stampCounts'][number];
  readonly onToggle: () => void;
}

/** One stamp on a message, with its count. */
export function StampCount({
  message,
  count: { stamp, count, viewerHasStamped: isOn },
  onToggle,
}: StampCountProps) {
  const i18n = useI18n();
  const { t } = i18n;
  return (
    <CountButton
      icon={<StampFace stamp={stamp} size={20} label="" />}
      label={t('stamp.count', { label: stampLabel(stamp, i18n), count, own: isOn ? 'yes' : 'no' })}
      names={<Names messageId={message.id} stamp={stamp} version={message.version} />}
      count={count}
      isOn={isOn}
      onToggle={onToggle}
    />
  );
}

interface NamesProps {
  readonly messageId: string;
  readonly stamp: StampPartsFragment;
  readonly version: number;
}

/** The users who added the stamp and when, oldest first. */
function Names({ messageId, stamp, version }: NamesProps) {
  const i18n = useI18n();
  const { t, ago } = i18n;
  const { api } = useSession();
  const read = useCallback(() => stampsOn(api, messageId), [api, messageId]);
  const names = useReactors(read, version)
    ?.filter((one) => one.stamp.key === stamp.key)
    .map(({ user, createdAt }) => `${nameOf(t, user)}, ${ago(createdAt)}`);
  return t('stamp.by', { label: stampLabel(stamp, i18n), names: names?.join(' · ') ?? '…' });
}
