import type { Timestamp } from '../../core/timestamps.ts';
import type { Subject } from '../notification.ts';

/** Somebody did something, or took it back, and somebody else is told. */
export interface Activity extends Subject {
  /** Who is told. */
  readonly user: string;
  /** Who did it. */
  readonly actor: string;
  readonly deed: 'given' | 'taken';
  readonly at: Timestamp;
  /**
   * Rises, as text, with each act of this kind by this person on this message. What is not above the newest
   * one that was taken in is a repetition.
   */
  readonly number: string;
}
