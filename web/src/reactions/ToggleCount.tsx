import { useCallback } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import type { Message } from '../timeline/message.ts';
import { CountButton } from './CountButton.tsx';
import styles from './reactions.module.css';
import type { ReactionToggle } from './toggle.ts';
import { useReactors } from './useReactors.ts';

export interface ToggleCountProps {
  readonly toggle: ReactionToggle;
  readonly message: Message;
  readonly onToggle: () => void;
}

/** The reactions to a message of which each user has at most one. */
export function ToggleCount({ toggle, message, onToggle }: ToggleCountProps) {
  const { t } = useI18n();
  const { Icon, iconClass, texts } = toggle;
  const [count, isOn] = [toggle.countOf(message), toggle.isOn(message)];
  return (
    <CountButton
      icon={<Icon className={`${styles.icon} ${iconClass}`} aria-hidden="true" />}
      label={t(texts.count, { count, own: isOn ? 'yes' : 'no' })}
      names={<Names toggle={toggle} messageId={message.id} version={message.version} />}
      count={count}
      isOn={isOn}
      onToggle={onToggle}
    />
  );
}

interface NamesProps {
  readonly toggle: ReactionToggle;
  readonly messageId: string;
  readonly version: number;
}

/** The names of the latest users who reacted. */
function Names({ toggle, messageId, version }: NamesProps) {
  const { t } = useI18n();
  const { api } = useSession();
  const read = useCallback(() => toggle.reactors(api, messageId), [api, toggle, messageId]);
  const reactors = useReactors(read, version);
  const names = reactors?.people.map(({ displayName }) => displayName).join(', ') ?? '…';
  return t(toggle.texts.by, { names: reactors?.more === true ? `${names}, …` : names });
}
