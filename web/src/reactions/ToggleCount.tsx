import { useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import type { Message } from '../timeline/message.ts';
import { Tip } from '../ui/Tip.tsx';
import styles from './reactions.module.css';
import type { ReactionToggle, Reactors } from './toggle.ts';

export interface ToggleCountProps {
  readonly toggle: ReactionToggle;
  readonly message: Message;
  readonly onToggle: () => void;
}

/** Shows how many users reacted to a message in this way, and who. A press adds or removes the viewer's reaction. */
export function ToggleCount({ toggle, message, onToggle }: ToggleCountProps) {
  const { t } = useI18n();
  const { Icon, iconClass, texts } = toggle;
  const [count, isOn] = [toggle.countOf(message), toggle.isOn(message)];
  return (
    <Tip content={<Names toggle={toggle} messageId={message.id} version={message.version} />}>
      <button
        type="button"
        className={styles.count}
        aria-pressed={isOn}
        aria-label={t(texts.count, { count, own: isOn ? 'yes' : 'no' })}
        onClick={onToggle}
      >
        <Icon className={`${styles.icon} ${iconClass}`} aria-hidden="true" />
        <span>{count}</span>
      </button>
    </Tip>
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
  const [reactors, setReactors] = useState<Reactors>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the message has changed.
  useEffect(() => {
    let isOver = false;
    toggle.reactors(api, messageId).then(
      (found) => isOver || setReactors(found),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, toggle, messageId, version]);
  const names = reactors?.people.map(({ displayName }) => displayName).join(', ') ?? '…';
  return t(toggle.texts.by, { names: reactors?.more === true ? `${names}, …` : names });
}
