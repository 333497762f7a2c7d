import { describe, expect, it } from 'vitest';
import type { Message } from '../../../web/src/timeline/message.ts';
import { type RowsOf, rowsOf } from '../../../web/src/timeline/rows.ts';

/** Messages by their author and minute of the day, named by their place: `0`, `1` … */
const said = (...all: readonly (readonly [author: string, minute: number])[]) =>
  all.map(([author, minute], index) => {
    const createdAt = new Date(2026, 0, 1, 0, minute).toISOString();
    return { id: String(index), createdAt, author: { id: author } } as unknown as Message;
  });

const told = (options: Partial<RowsOf> & Pick<RowsOf, 'messages'>) =>
  rowsOf({ outgoing: [], viewerId: 'aki', hasOlder: false, hasNewer: false, ...options }).map((row) => {
    if (row.kind === 'start') return 'start';
    const { key, compact, day, unread } = row;
    return [key, day && 'day', unread && 'unread', compact && 'compact'].filter(Boolean).join(' ');
  });

describe('the rows of a list', () => {
  it("puts somebody's messages within five minutes under one name, and draws a line between days", () => {
    const messages = said(['aki', 1_430], ['aki', 1_434], ['ben', 1_435], ['ben', 1_439], ['ben', 1_441]);
    expect(told({ messages })).toEqual(['start', '0 day', '1 compact', '2', '3 compact', '4 day']);
  });

  it('draws the line above the first unread one, under which its author is named again', () => {
    const messages = said(['aki', 1], ['aki', 2], ['aki', 3]);
    expect(told({ messages, firstUnread: '1' })).toEqual(['start', '0 day', '1 unread', '2 compact']);
  });

  it('leaves out what is not known to be at the ends: the oldest that is loaded, and what waits to be sent', () => {
    const messages = said(['aki', 1], ['aki', 2]);
    const one = { key: 'waits', roomId: 'room', replyTo: null, body: 'Hi', state: 'waiting' } as const;
    const outgoing = [{ ...one, at: new Date(2026, 0, 1, 0, 3).toISOString() }];
    expect(told({ messages, outgoing })).toEqual(['start', '0 day', '1 compact', 'waits compact']);
    expect(told({ messages, outgoing, hasOlder: true, hasNewer: true })).toEqual(['1 compact']);
  });

  it('looks the same when older ones come', () => {
    const messages = said(['ben', 1_430], ['aki', 1_434], ['aki', 1_438], ['ben', 1_441], ['ben', 1_442]);
    const all = told({ messages });
    for (let from = 1; from < messages.length; from++) {
      expect(told({ messages: messages.slice(from), hasOlder: true })).toEqual(all.slice(from + 2));
    }
  });
});
