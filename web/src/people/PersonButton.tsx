import type { MouseEvent } from 'react';
import { Avatar, type AvatarProps } from '../ui/Avatar.tsx';
import { useCard } from './card.ts';
import styles from './PersonButton.module.css';

export interface PersonButtonProps {
  readonly userId: string;
  readonly name: string;
  /** Whether the Tab key reaches it. */
  readonly isReached?: boolean;
}

/** A name. It opens the profile card. */
export function PersonButton({ userId, name, isReached = true }: PersonButtonProps) {
  const open = useCard(userId);
  return (
    <button
      type="button"
      className={styles.name}
      aria-haspopup="dialog"
      tabIndex={isReached ? 0 : -1}
      onClick={open}
    >
      <strong dir="auto">{name}</strong>
    </button>
  );
}

/** For the pointer only: the name beside it does the same. */
export function AvatarButton(props: AvatarProps) {
  const open = useCard(props.person.id);
  return (
    <button type="button" className={styles.avatar} aria-hidden="true" tabIndex={-1} onClick={open}>
      <Avatar {...props} />
    </button>
  );
}

/** In a link, for the pointer only, as above: the page that the link leads to has the name. */
export function AvatarInLink(props: AvatarProps) {
  const open = useCard(props.person.id);
  const press = (event: MouseEvent<Element>) => {
    // Otherwise the link is followed.
    event.preventDefault();
    event.stopPropagation();
    open(event);
  };
  return (
    <button type="button" className={styles.avatar} aria-hidden="true" tabIndex={-1} onClick={press}>
      <Avatar {...props} />
    </button>
  );
}
