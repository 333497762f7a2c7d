/**
 * The chunks of a long list: they are the list that a plain array would be, and a change does not touch the other rows.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ListedRow, putRow, rowOf, wholeList } from '../../../web/src/saved/listed.ts';
import { createRowStore, type RowStore } from '../../../web/src/saved/rowStore.ts';
import { KEPT, restore, unloadedNear, unloadFar } from '../../../web/src/saved/unloading.ts';

type Saved = NonNullable<ListedRow['saved']>;

/** A message that was saved at this second. */
const savedAt = (second: number, version = 1) =>
  ({
    id: `s${second}`,
    version,
    visibility: 'PRIVATE',
    note: null,
    tags: [],
    remindAt: null,
    savedAt: new Date(second * 1_000).toISOString(),
    message: { id: `m${second}` },
  }) as unknown as Saved;
const row = (second: number, version?: number): ListedRow => rowOf(savedAt(second, version));

const second = fc.nat(60);
const place = fc.nat(40);
const change = fc.oneof(
  fc.record({ what: fc.constant('append' as const), seconds: fc.array(second, { maxLength: 12 }) }),
  fc.record({ what: fc.constant('reset' as const), seconds: fc.array(second, { maxLength: 30 }) }),
  fc.record({ what: fc.constant('insert' as const), place, second }),
  fc.record({ what: fc.constant('remove' as const), place }),
  fc.record({ what: fc.constant('replace' as const), places: fc.array(place, { maxLength: 5 }) }),
  fc.record({ what: fc.constant('unloadFar' as const), first: place, last: place }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const unloaded = (one: ListedRow): ListedRow =>
  one.isUnloaded ? one : { ...one, message: null, isUnloaded: true };
const unique = (rows: readonly ListedRow[]) => [...new Map(rows.map((one) => [one.key, one])).values()];

/** What a plain array would be after the change. */
function simply(rows: readonly ListedRow[], next: Change, version: number): readonly ListedRow[] {
  switch (next.what) {
    case 'append': {
      const keys = new Set(rows.map(({ key }) => key));
      const added = next.seconds.map((one) => row(one)).filter(({ key }) => !keys.has(key));
      return [...rows, ...new Map(added.map((one) => [one.key, one])).values()];
    }
    case 'reset':
      return unique(next.seconds.map((one) => row(one)));
    case 'insert':
      return rows.some(({ key }) => key === `s${next.second}`)
        ? rows
        : rows.toSpliced(next.place, 0, row(next.second));
    case 'remove':
      return rows.toSpliced(next.place, 1);
    case 'replace':
      return rows.map((one, at) =>
        next.places.includes(at) && one.saved !== null ? { ...one, saved: { ...one.saved, version } } : one,
      );
    case 'unloadFar':
      return rows.map((one, at) => (at < next.first || at > next.last ? unloaded(one) : one));
  }
}

function perform(store: RowStore<ListedRow>, next: Change, version: number): void {
  const before = store.get();
  switch (next.what) {
    case 'append':
      store.append(next.seconds.map((one) => row(one)));
      break;
    case 'reset':
      store.reset(next.seconds.map((one) => row(one)));
      break;
    case 'insert':
      if (!store.has(`s${next.second}`)) store.insert(next.place, row(next.second));
      break;
    case 'remove':
      store.remove(next.place);
      break;
    case 'replace': {
      const rows = next.places.flatMap((at) => {
        const one = before.at(at);
        return one === undefined || one.saved === null ? [] : [{ at, one, saved: one.saved }];
      });
      store.replace(
        new Map(rows.map(({ at, one, saved }) => [at, { ...one, saved: { ...saved, version } }])),
      );
      break;
    }
    case 'unloadFar':
      store.replaceOutside(next.first, next.last, unloaded);
  }
}

it('a list in chunks is the list that an array would be, after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const store = createRowStore<ListedRow>(4);
      let rows: readonly ListedRow[] = [];
      for (const [version, next] of changes.entries()) {
        const before = store.get();
        const values = [...before];
        perform(store, next, version);
        rows = simply(rows, next, version);
        const now = store.get();
        expect([...now]).toEqual(rows);
        expect(now).toHaveLength(rows.length);
        expect(Array.from(rows, (_, at) => now.at(at))).toEqual(rows);
        expect(now.slice(3, 9)).toEqual(rows.slice(3, 9));
        expect(rows.map(({ key }) => store.find(key))).toEqual(rows.map((_, at) => at));
        expect(rows.map(({ key }) => now.find(key))).toEqual(rows.map((_, at) => at));
        expect(now.find('none')).toBe(-1);
        expect(now.pick(['s7', 's1', 's30'])).toEqual(
          rows.filter(({ key }) => key === 's7' || key === 's1' || key === 's30'),
        );
        // What was shown before stays as it was.
        expect([...before]).toEqual(values);
      }
    }),
  );
});

const PAGE = 100;
const SIZES = [2_000, 100_000] as const;

/**
 * How often anything of a row is read while each change is made in a list of that many rows, most of which are
 * unloaded.
 */
function readsWith(size: number): Record<string, number> {
  let reads = 0;
  const counted = (one: ListedRow): ListedRow =>
    new Proxy(one, {
      get(target, name, receiver) {
        reads++;
        return Reflect.get(target, name, receiver);
      },
      ownKeys(target) {
        reads++;
        return Reflect.ownKeys(target);
      },
    });
  // The first ones are the newest.
  const rowAt = (at: number) => {
    const one = row(2 * (SIZES[1] + 1_000 - at));
    return counted(at < size - 2 * KEPT ? unloaded(one) : one);
  };
  const store = createRowStore<ListedRow>();
  for (let at = 0; at < size; at += PAGE) {
    store.append(Array.from({ length: PAGE }, (_, i) => rowAt(at + i)));
  }
  const end = { first: size - 10, last: size - 1 };
  unloadFar(store, end);
  const unloadedKeys = unloadedNear(store.get(), { first: 0, last: 9 }, PAGE);
  const found = new Map(unloadedKeys.map((key) => [key, counted(row(Number(key.slice(1)), 2))]));
  expect(unloadedKeys).toHaveLength(PAGE);

  const counts: Record<string, number> = {};
  const count = (name: string, run: () => void) => {
    reads = 0;
    run();
    counts[name] = reads;
  };
  const page = Array.from({ length: PAGE }, (_, i) => rowAt(size + i));
  const put = (one: ListedRow) =>
    putRow({ rows: store, view: wholeList('all'), row: counted(one), hasMore: true });
  count('a page', () => store.append(page));
  count('rows are unloaded', () => unloadFar(store, { first: size + PAGE - 10, last: size + PAGE - 1 }));
  count('messages are restored', () => restore(store, unloadedKeys, found));
  count('a row changes', () => put(row(2 * (SIZES[1] + 1_000 - size / 2), 3)));
  count('a row is saved', () => put(row(2 * (SIZES[1] + 1_000 - size / 2) + 1)));
  expect(store.get()).toHaveLength(size + PAGE + 1);
  expect(store.get().at(size - KEPT - 20)?.isUnloaded).toBe(true);
  return counts;
}

it(`a change reads about the same number of rows in a list with ${SIZES[1]} rows and in one with ${SIZES[0]}`, () => {
  const [few, many] = [readsWith(SIZES[0]), readsWith(SIZES[1])];
  for (const [name, reads] of Object.entries(many)) {
    // At most the part of a chunk for each of a page, and some steps more of a search by halves.
    expect([name, reads < 10_000, reads <= (few[name] ?? 0) + 1_024]).toEqual([name, true, true]);
  }
});
