import type { ReactElement } from 'react';
import type { NotificationKind } from '../generated/graphql.ts';
import styles from './Row.module.css';

/** Drawn in a 16 by 16 view box. */
const DRAWINGS: Readonly<Record<NotificationKind | 'WITHHELD', ReactElement>> = {
  LIKE: (
    <path
      d="M8 12.6 4 8.7a2.55 2.55 0 0 1 3.6-3.6l.4.4.4-.4A2.55 2.55 0 0 1 12 8.7z"
      fill="currentcolor"
      stroke="none"
    />
  ),
  REPLY: <path d="M7 4.5 3.9 7.6 7 10.7M4.2 7.6h4.6a3.2 3.2 0 0 1 3.2 3.2v.9" />,
  MENTION: (
    <>
      <circle cx="8" cy="8" r="1.75" />
      <path d="M9.75 6.3v2.2a1.35 1.35 0 0 0 2.7 0V8A4.45 4.45 0 1 0 10.6 11.6" />
    </>
  ),
  STAMP: (
    <path d="M6.9 8.9C6.9 7.5 6 7 6 5.7a2 2 0 0 1 4 0c0 1.3-.9 1.8-.9 3.2h1.7a.8.8 0 0 1 .8.8v1H4.4v-1a.8.8 0 0 1 .8-.8zM4.4 12.6h7.2" />
  ),
  WITHHELD: (
    <>
      <rect x="4.75" y="7.4" width="6.5" height="4.6" rx="1.1" />
      <path d="M6.2 7.4V6.1a1.8 1.8 0 0 1 3.6 0v1.3" />
    </>
  ),
};

/** An icon for the kind of notification. Hidden from screen readers, because the text next to it says the same. */
export const KindIcon = ({ kind }: { readonly kind: NotificationKind | 'WITHHELD' }) => (
  <span className={`${styles.kind} ${styles[kind]}`} aria-hidden="true">
    <svg viewBox="0 0 16 16" fill="none" stroke="currentcolor" strokeWidth="1.5" aria-hidden="true">
      {DRAWINGS[kind]}
    </svg>
  </span>
);
