import { expect, it } from 'vitest';
import { type ListedRow, type ListName, putRow, rowOf } from '../../../web/src/saved/listed.ts';
import { createRowStore } from '../../../web/src/saved/rowStore.ts';

type Saved = NonNullable<ListedRow['saved']>;

const minute = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 9) + minutes * 60_000).toISOString();
const saved = (id: string, savedAt: number, more: Partial<Saved> = {}): Saved =>
  ({
    ...{ id, savedAt: minute(savedAt), version: 1, visibility: 'PRIVATE', note: null, tags: [] },
    ...{ remindAt: null, message: null },
    ...more,
  }) as Saved;

/** The ids of a list's rows after one has changed. */
function after(name: ListName, rows: readonly Saved[], changed: Saved, hasMore = false): string {
  const store = createRowStore<ListedRow>();
  store.append(rows.map(rowOf));
  putRow({ name, rows: store, row: rowOf(changed), hasMore });
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
