import type { NotificationKind } from '../generated/graphql.ts';
import type { NotificationLook } from '../reactions/toggle.ts';
import { TOGGLE_NOTIFICATIONS } from '../reactions/toggles.ts';
import styles from './Row.module.css';

type Kind = NotificationKind | 'WITHHELD';

const LOOKS: Readonly<Record<Kind, NotificationLook>> = {
  ...TOGGLE_NOTIFICATIONS,
  REPLY: {
    drawing: <path d="M7 4.5 3.9 7.6 7 10.7M4.2 7.6h4.6a3.2 3.2 0 0 1 3.2 3.2v.9" />,
    className: undefined,
  },
  MENTION: {
    drawing: (
      <>
        <circle cx="8" cy="8" r="1.75" />
        <path d="M9.75 6.3v2.2a1.35 1.35 0 0 0 2.7 0V8A4.45 4.45 0 1 0 10.6 11.6" />
      </>
    ),
    className: styles.MENTION,
  },
  STAMP: {
    drawing: (
      <path d="M6.9 8.9C6.9 7.5 6 7 6 5.7a2 2 0 0 1 4 0c0 1.3-.9 1.8-.9 3.2h1.7a.8.8 0 0 1 .8.8v1H4.4v-1a.8.8 0 0 1 .8-.8zM4.4 12.6h7.2" />
    ),
    className: styles.STAMP,
  },
  INVITED: {
    drawing: (
      <>
        <circle cx="6.8" cy="6" r="2" />
        <path d="M3.4 12.2a3.4 3.4 0 0 1 6.8 0M11.6 4.6v3.2M10 6.2h3.2" />
      </>
    ),
    className: styles.INVITED,
  },
  SEAT: {
    drawing: <path d="M5.2 3.6v5.2h5.6M5.2 8.8v3.6M10.8 8.8v3.6M5.2 6.2" />,
    className: styles.SEAT,
  },
  REMINDER: {
    drawing: (
      <>
        <circle cx="8" cy="8.4" r="4" />
        <path d="M8 6.3v2.3l1.5 1M4 4.4 5.3 3.3M12 4.4l-1.3-1.1" />
      </>
    ),
    className: styles.REMINDER,
  },
  WITHHELD: {
    drawing: (
      <>
        <rect x="4.75" y="7.4" width="6.5" height="4.6" rx="1.1" />
        <path d="M6.2 7.4V6.1a1.8 1.8 0 0 1 3.6 0v1.3" />
      </>
    ),
    className: styles.WITHHELD,
  },
};

/** An icon for the kind of notification. Hidden from screen readers, because the text next to it says the same. */
export function KindIcon({ kind }: { readonly kind: Kind }) {
  const { drawing, className = '' } = LOOKS[kind];
  return (
    <span className={`${styles.kind} ${className}`} aria-hidden="true">
      <svg viewBox="0 0 16 16" fill="none" stroke="currentcolor" strokeWidth="1.5" aria-hidden="true">
        {drawing}
      </svg>
    </span>
  );
}
