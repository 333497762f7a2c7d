import { describe, expect, it } from 'vitest';
import type { Message } from '../../../web/src/timeline/message.ts';
import { knownRows, passedSince, type RowsOf, rowsOf } from '../../../web/src/timeline/rows.ts';

/** Messages by author and minute of the day. Their ids are their indexes: `0`, `1` … */
const messagesBy = (...all: readonly (readonly [author: string, minute: number])[]) =>
  all.map(([author, minute], index) => {
    const createdAt = new Date(2026, 0, 1, 0, minute).toISOString();
    return { id: String(index), createdAt, author: { id: author } } as unknown as Message;
  });

const summaryOf = (options: Partial<RowsOf> & Pick<RowsOf, 'messages'>) =>
  rowsOf({ outgoing: [], viewerId: 'aki', hasOlder: false, hasNewer: false, ...options }).map((row) => {
    if (row.kind === 'start') return 'start';
    const { key, compact, day, unread } = row;
    return [key, day && 'day', unread && 'unread', compact && 'compact'].filter(Boolean).join(' ');
  });

describe('web timeline', () => {
  it('rowsOf: groups an author’s messages within five minutes, and marks the start of a day', () => {
    const messages = messagesBy(
      ['aki', 1_430],
      ['aki', 1_434],
      ['ben', 1_435],
      ['ben', 1_439],
      ['ben', 1_441],
    );
    expect(summaryOf({ messages })).toEqual(['start', '0 day', '1 compact', '2', '3 compact', '4 day']);
  });

  it('rowsOf: marks the first unread message, and names its author again', () => {
    const messages = messagesBy(['aki', 1], ['aki', 2], ['aki', 3]);
    expect(summaryOf({ messages, firstUnread: '1' })).toEqual(['start', '0 day', '1 unread', '2 compact']);
  });

  it('rowsOf: omits the oldest loaded message and the outgoing ones if more pages follow there', () => {
    const messages = messagesBy(['aki', 1], ['aki', 2]);
    const one = {
      key: 'waits',
      roomId: 'room',
      replyTo: null,
      answered: null,
      body: 'Hi',
      state: 'waiting',
    } as const;
    const outgoing = [{ ...one, at: new Date(2026, 0, 1, 0, 3).toISOString() }];
    expect(summaryOf({ messages, outgoing })).toEqual(['start', '0 day', '1 compact', 'waits compact']);
    expect(summaryOf({ messages, outgoing, hasOlder: true, hasNewer: true })).toEqual(['1 compact']);
  });

  it('rowsOf: does not change existing rows when older messages are loaded', () => {
    const messages = messagesBy(
      ['ben', 1_430],
      ['aki', 1_434],
      ['aki', 1_438],
      ['ben', 1_441],
      ['ben', 1_442],
    );
    const all = summaryOf({ messages });
    for (let from = 1; from < messages.length; from++) {
      expect(summaryOf({ messages: messages.slice(from), hasOlder: true })).toEqual(all.slice(from + 2));
    }
  });

  it('passedSince: the rows that came above the screen between two looks at the end', () => {
    const messages = messagesBy(...Array.from({ length: 60 }, (_, minute) => ['aki', minute] as const));
    const rows = rowsOf({ messages, outgoing: [], viewerId: 'ben', hasOlder: false, hasNewer: false });
    const passed = (first: number, isNew: (id: number) => boolean) => {
      const before = rows.map(({ key }) => key).filter((key) => key !== 'start' && !isNew(Number(key)));
      const at = rows.findIndex(({ key }) => key === String(first));
      return passedSince(new Set(before), rows, at).map(({ key }) => Number(key));
    };
    expect(passed(20, (id) => id > 16)).toEqual([17, 18, 19]);
    // One with an earlier time than what was on the screen.
    expect(passed(50, (id) => id === 14)).toEqual([14]);
    expect(passed(20, () => false)).toEqual([]);
    // Nothing is known: another part of the room, or an older page alone.
    expect(passed(40, () => true)).toEqual([]);
    // An older page.
    expect(passed(10, (id) => id < 8)).toEqual([]);
  });

  it('knownRows: what comes below the screen is not known until it was on it, unless it came after a gap', () => {
    const messages = messagesBy(...Array.from({ length: 30 }, (_, minute) => ['aki', minute] as const));
    const all = rowsOf({ messages, outgoing: [], viewerId: 'ben', hasOlder: false, hasNewer: false });
    const atFirst = all.slice(0, 11);
    const passed = (known: ReadonlySet<string>) => passedSince(known, all, 25).map(({ key }) => Number(key));
    const known = knownRows(undefined, atFirst, 10);
    // The screen still shows the rows from before, and then the last ones.
    expect(passed(knownRows(known, all, 10))).toEqual([
      10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
    ]);
    expect(passed(knownRows(known, all, 29))).toEqual([]);
    const afterGap = knownRows(undefined, all, 10);
    expect(passed(knownRows(afterGap, all, 10))).toEqual([]);
  });
});
