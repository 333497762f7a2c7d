import { expect, it } from 'vitest';
import {
  type ListedRow,
  type ListName,
  type ListView,
  putRow,
  rowOf,
  wholeList,
} from '../../../web/src/saved/listed.ts';
import { createRowStore } from '../../../web/src/saved/rowStore.ts';

type Saved = NonNullable<ListedRow['saved']>;

const minute = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 9) + minutes * 60_000).toISOString();
const saved = (id: string, savedAt: number, more: Partial<Saved> = {}): Saved =>
  ({
    id,
    savedAt: minute(savedAt),
    version: 1,
    visibility: 'PRIVATE',
    note: null,
    tags: [],
    remindAt: null,
    message: null,
    ...more,
  }) as Saved;

/** The ids of a list's rows after one has changed. */
function after(list: ListName | ListView, rows: readonly Saved[], changed: Saved, hasMore = false): string {
  const store = createRowStore<ListedRow>();
  store.append(rows.map(rowOf));
  const view = typeof list === 'object' && 'order' in list ? list : wholeList(list);
  putRow({ view, rows: store, row: rowOf(changed), hasMore });
  return [...store.get()].map(({ key }) => key).join('');
}

const rows = [saved('c', 3), saved('b', 2), saved('a', 1)];

it('a list: has what was saved elsewhere by its time, and what is after the known rows comes with its page', () => {
  expect(after('all', rows, saved('d', 4))).toBe('dcba');
  expect(after('all', rows, saved('x', 2.5))).toBe('cxba');
  expect(after('all', rows, saved('x', 0))).toBe('cbax');
  expect(after('all', rows, saved('x', 0), true)).toBe('cba');
  expect(after('all', [], saved('x', 0))).toBe('x');
  // In its place.
  expect(after('all', rows, saved('b', 2, { note: 'Later' }))).toBe('cba');
  // Saved again after it was removed.
  expect(after('all', rows, saved('a', 5))).toBe('acb');
});

it('a list: loses what does not belong to it any more', () => {
  expect(after('untagged', rows, saved('b', 2, { tags: ['Food'] }))).toBe('ca');
  expect(after('private', rows, saved('b', 2, { visibility: 'PUBLIC' }))).toBe('ca');
  expect(after('public', [], saved('b', 2, { visibility: 'PUBLIC' }))).toBe('b');
  const tagged = rows.map((one) => ({ ...one, tags: ['Straße'] }));
  expect(after({ tag: 'strasse' }, tagged, saved('b', 2, { tags: ['Tea'] }))).toBe('ca');
  expect(after({ tag: 'ＳＴＲＡＳＳＥ' }, tagged, saved('d', 4, { tags: ['Tea', 'Straße'] }))).toBe('dcba');
});

it('a list of reminders: is in the order in which they are due', () => {
  const due = [saved('a', 1, { remindAt: minute(20) }), saved('b', 2, { remindAt: minute(30) })];
  expect(after('reminders', due, saved('c', 3, { remindAt: minute(25) }))).toBe('acb');
  expect(after('reminders', due, saved('a', 1, { remindAt: minute(40) }))).toBe('ba');
  expect(after('reminders', due, saved('a', 1))).toBe('b');
});

/** Saved in minute 0, of a message that was sent at this minute. Null: the viewer may not see the message. */
const said = (id: string, at: number | null, more: Partial<Saved> = {}): Saved =>
  saved(id, 0, {
    message: at === null ? null : { id: `m${id}`, createdAt: minute(at) },
    ...more,
  } as Partial<Saved>);

it.each([
  ['SAVED_OLDEST', (id: string, at: number) => saved(id, at)],
  ['MESSAGE_OLDEST', said],
  ['SAVED_NEWEST', (id: string, at: number) => saved(id, -at)],
  ['MESSAGE_NEWEST', (id: string, at: number) => said(id, -at)],
] as const)('%s: has what was saved elsewhere in its place', (order, at) => {
  const view: ListView = { ...wholeList('all'), order };
  const known = [at('a', 1), at('b', 2), at('c', 3)];
  expect(after(view, known, at('x', 0))).toBe('xabc');
  expect(after(view, known, at('x', 2.5))).toBe('abxc');
  expect(after(view, known, at('x', 4))).toBe('abcx');
  expect(after(view, known, at('x', 4), true)).toBe('abc');
});

it('in the order of messages: what the viewer may not see stays in its place, and what is saved again, too', () => {
  const view: ListView = { ...wholeList('all'), order: 'MESSAGE_OLDEST' };
  const known = [said('a', 1), said('b', null), said('c', 3), said('d', null)];
  expect(after(view, known, said('b', null, { note: 'Changed' }))).toBe('abcd');
  expect(after(view, known, said('c', null, { note: 'Changed' }))).toBe('abcd');
  expect(after(view, known, said('a', 1, { savedAt: minute(9) }))).toBe('abcd');
  expect(after(view, known, said('x', 2))).toMatch(/^a(bx|xb)cd$/);
  expect(after(view, known, said('x', 5))).toMatch(/^abc(dx|xd)$/);
  expect(after(view, known, said('x', 0))).toBe('xabcd');
  // Its place is not known.
  expect(after(view, known, said('x', null))).toBe('abcd');
  expect(after(view, [said('a', null), said('b', null)], said('x', 2))).toHaveLength(3);
});

it('a list that begins with a day: has nothing that comes before it', () => {
  const newest: ListView = { name: 'all', order: 'SAVED_NEWEST', from: Date.parse(minute(3)) };
  expect(after(newest, rows, saved('x', 4))).toBe('cba');
  expect(after(newest, rows, saved('x', 2.5))).toBe('cxba');
  expect(after(newest, rows, saved('b', 2, { note: 'Later' }))).toBe('cba');
  // Removed and saved again.
  expect(after(newest, rows, saved('b', 9))).toBe('ca');
  const oldest: ListView = { name: 'all', order: 'SAVED_OLDEST', from: Date.parse(minute(1)) };
  const known = rows.toReversed();
  expect(after(oldest, known, saved('x', 0))).toBe('abc');
  expect(after(oldest, known, saved('x', 1))).toBe('axbc');
});
