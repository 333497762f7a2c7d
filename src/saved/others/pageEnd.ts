/** The rows at which pages of a public list end. */
import { createHmac } from 'node:crypto';
import type { MessageKey } from '../../messages/message.ts';

/** One of this many rows ends a page. */
const ONE_OF = 25;

/**
 * Whether a page may end after this row. The row decides, for all viewers, lists and directions; a secret picks one
 * of ONE_OF. If a number of rows decided, a viewer who reads a page from each visible row in turn would see which of
 * them reach the next visible row, and from that how many hidden rows are in between. Now all of these pages end at
 * the same row, at an unknown distance from the next visible one.
 */
export function endsPage(secret: Uint8Array, user: string, { room, threadTs, ts }: MessageKey): boolean {
  const row = JSON.stringify(['pageEnd', user, room, threadTs, ts]);
  return createHmac('sha256', secret).update(row).digest().readUInt32BE() % ONE_OF === 0;
}
