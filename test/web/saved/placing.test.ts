/** The rows of a long list are where the user expects them, and placing them costs the same in a list of any length. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type Anchor,
  type Block,
  blockAt,
  type Heights,
  isAtEdge,
  isJump,
  jumpedTo,
  keptAnchor,
  missing,
  type Screen,
  TALLEST,
} from '../../../web/src/saved/placing.ts';
import { scaled } from '../../support/run/budget.ts';

const SCREEN = 800;
const USUAL = 110;
const MANY = 1_000_000;

/** The numbers of rows that come and go: at first, each is that of its place. A list of a million costs the same. */
function createNumbers(size: number) {
  const changes: { readonly place: number; readonly added?: number }[] = [];
  let [count, next] = [size, size];
  return {
    get count() {
      return count;
    },
    insert(place: number) {
      changes.push({ place, added: next++ });
      count++;
    },
    remove(place: number) {
      changes.push({ place });
      count--;
    },
    at(place: number): number {
      let now = place;
      for (const { place: changed, added } of changes.toReversed()) {
        if (added === undefined) now += now >= changed ? 1 : 0;
        else if (now === changed) return added;
        else if (now > changed) now--;
      }
      return now;
    },
    /** The place of a row, -1 if there is none. */
    find(row: number): number {
      let now = row < size ? row : -1;
      for (const { place, added } of changes) {
        if (added === row) now = place;
        else if (now === -1) continue;
        else if (added !== undefined) now += now >= place ? 1 : 0;
        else if (now === place) return -1;
        else if (now > place) now--;
      }
      return now;
    },
  };
}

/** A list on a screen, as in `usePlaced.ts`: rows are as high as they are once they were rendered. */
function listOf(size: number, heightOf: (row: number) => number) {
  const measured = new Map<number, number>();
  const numbers = createNumbers(size);
  let reads = 0;
  const heights: Heights = {
    get count() {
      return numbers.count;
    },
    usual: USUAL,
    of(index) {
      reads++;
      return measured.get(numbers.at(index)) ?? USUAL;
    },
  };
  let screen: Screen = { top: 0, height: SCREEN };
  let anchor: Anchor = { index: 0, share: 0, y: 0 };
  let block: Block = blockAt(anchor, screen, heights);
  let started: number | undefined;
  let jumping: number | undefined;

  function render(isResting: boolean): void {
    let isNew = true;
    while (isNew) {
      isNew = false;
      block = blockAt(anchor, screen, heights, jumping);
      for (let index = block.first; index <= block.last; index++) {
        const row = numbers.at(index);
        if (measured.get(row) === heightOf(row)) continue;
        measured.set(row, heightOf(row));
        isNew = true;
      }
    }
    ({ anchor } = block);
    const by = jumping !== undefined ? 0 : missing({ block, screen, isResting }, heights);
    if (Math.abs(by) < 1) return;
    const before = seen();
    // A scroll bar ends at 0.
    screen = { ...screen, top: Math.max(0, screen.top + by) };
    anchor = { ...anchor, y: anchor.y + by };
    block = blockAt(anchor, screen, heights);
    // It does not show that the list is moved.
    if (screen.top > 0) expect(seen().map(([row]) => row)).toEqual(before.map(([row]) => row));
  }

  /** Each row on the screen, with its distance from the top of it. */
  function seen(): (readonly [row: number, at: number])[] {
    const rows: (readonly [number, number])[] = [];
    let top = block.top;
    for (let index = block.first; index <= block.last; index++) {
      const row = numbers.at(index);
      const bottom = top + (measured.get(row) ?? USUAL);
      if (bottom > screen.top + 1 && top < screen.top + screen.height - 1)
        rows.push([row, Math.round(top - screen.top)]);
      top = bottom;
    }
    return rows;
  }

  /** Scrolls there, at once. */
  function scrollTo(top: number): void {
    const from = screen.top;
    screen = { ...screen, top: Math.max(0, Math.min(top, Math.max(0, block.height - screen.height))) };
    started ??= block.height;
    if (isJump(from, screen)) jumping ??= started;
    if (jumping !== undefined && (isJump(from, screen) || isAtEdge(screen, jumping)))
      anchor = jumpedTo(screen, jumping, heights);
    render(false);
    // The list may have become lower: browsers scroll to its end.
    if (screen.top > Math.max(0, block.height - screen.height)) scrollTo(block.height);
  }

  /** Other rows, from now on. Those on the screen stay in place. */
  function change({ place, isAdded }: { place: number; isAdded: boolean }): void {
    ({ anchor } = blockAt(anchor, screen, heights));
    const find = (index: number) => {
      if (!isAdded && index === place) return -1;
      if (index < place) return index;
      return isAdded ? index + 1 : index - 1;
    };
    anchor = screen.top <= 0 ? { index: 0, share: 0, y: 0 } : keptAnchor(anchor, block.last, heights, find);
    if (isAdded) numbers.insert(place);
    else numbers.remove(place);
    render(false);
  }

  /** Scrolling has ended. */
  function rest(): void {
    [started, jumping] = [undefined, undefined];
    render(true);
  }

  render(false);
  return {
    seen,
    scrollTo,
    scrollBy: (by: number) => scrollTo(screen.top + by),
    rest,
    insert: (place: number) => change({ place, isAdded: true }),
    remove: (place: number) => change({ place, isAdded: false }),
    resize(height: number) {
      ({ anchor } = blockAt(anchor, screen, heights));
      screen = { ...screen, height };
      render(false);
    },
    at: numbers.at,
    find: numbers.find,
    count: () => numbers.count,
    screen: () => screen,
    block: () => block,
    top: () => screen.top,
    /** A key that scrolls to this share of the list, as browsers animate it: slow, fast and slow. */
    animate(share: number) {
      const [from, to] = [screen.top, share * (block.height - screen.height)];
      for (let part = 0; part < 1; part += 1 / 20)
        scrollTo(from + (to - from) * (0.5 - 0.5 * Math.cos(Math.PI * part)));
      scrollTo(to);
      rest();
    },
    /** The share of the list that the scroll bar shows. */
    share: () => screen.top / Math.max(1, block.height - screen.height),
    /** How many heights were read since the last call. */
    reads() {
      const now = reads;
      reads = 0;
      return now;
    },
  };
}

const heightsFrom = (seed: number) => (index: number) => 40 + ((index * 7_919 + seed * 104_729) % 197);

it('rows cover the screen, and a row on it moves by as much as the user scrolls', () => {
  const step = fc.oneof(
    fc.record({ by: fc.integer({ min: -2_000, max: 2_000 }) }),
    fc.record({ to: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ rest: fc.constant(true as const) }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(1, 5, 30, 400, 70_000, MANY),
      fc.nat(100),
      fc.array(step, { maxLength: 40 }),
      (count, seed, steps) => {
        const list = listOf(count, heightsFrom(seed));
        for (const next of steps) {
          const before = new Map(list.seen());
          if ('by' in next) {
            list.scrollBy(next.by);
            const shifts = list
              .seen()
              .flatMap(([index, at]) => (before.has(index) ? [at - (before.get(index) ?? 0)] : []));
            // All of them by the same distance, and not in the other direction.
            for (const shift of shifts) expect(Math.abs(shift - (shifts[0] ?? 0))).toBeLessThanOrEqual(1);
            expect(Math.sign(next.by) * (shifts[0] ?? 0)).toBeLessThanOrEqual(1);
          } else if ('to' in next) list.scrollTo(next.to * (list.block().height - SCREEN));
          else list.rest();
          const seen = list.seen();
          const { first, last, top, height } = list.block();
          expect(seen[0]?.[0]).toBeGreaterThanOrEqual(first);
          const fills = seen.reduce((sum, [index]) => sum + heightsFrom(seed)(index), 0);
          if (seen[0]?.[0] !== 0 && seen.at(-1)?.[0] !== count - 1)
            expect(fills).toBeGreaterThanOrEqual(SCREEN - 2);
          if (first === 0 && list.top() === 0) expect(top).toBeCloseTo(0, 0);
          expect(last - first).toBeLessThan(80);
          expect(height).toBeLessThanOrEqual(TALLEST + 100 * USUAL);
        }
      },
    ),
    { numRuns: scaled(200) },
  );
});

it('rows on the screen stay in place when others come and go, and when the screen has another height', () => {
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  const step = fc.oneof(
    fc.record({ by: fc.integer({ min: -1_700, max: 1_700 }) }),
    // At a place among the rows that are rendered.
    fc.record({ insert: part }),
    fc.record({ remove: part }),
    // From a small window at a zoom of 400 % to a high one.
    fc.record({ resize: fc.integer({ min: 69, max: 1_400 }) }),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(5, 12, 30, 400, MANY),
      fc.nat(100),
      fc.array(step, { maxLength: 40 }),
      (count, seed, steps) => {
        const list = listOf(count, heightsFrom(seed));
        for (const next of steps) {
          if ('by' in next) {
            list.scrollBy(next.by);
            continue;
          }
          const before = list.seen();
          const { first, last, anchor } = list.block();
          const placeAt = (share: number) => first + Math.round(share * (last - first));
          const top = list.top();
          if ('insert' in next) list.insert(placeAt(next.insert));
          else if ('resize' in next) list.resize(next.resize);
          else if (list.count() > 1) list.remove(placeAt(next.remove));
          // The ends stay at the ends.
          if (top <= 0 || list.top() <= 0 || anchor.share === 1) continue;
          const [row, at] = before.find(([seen]) => list.find(seen) !== -1) ?? [];
          // Another screen may have been all of one row.
          if (row === undefined || at === undefined) continue;
          const now = new Map(list.seen()).get(row) ?? Number.NaN;
          expect(Math.abs(now - at)).toBeLessThanOrEqual(1);
        }
      },
    ),
    { numRuns: scaled(200) },
  );
});

it.each([3_000, MANY])('%i rows: a step of the wheel scrolls a low screen row by row', (count) => {
  const list = listOf(count, heightsFrom(3));
  list.resize(69);
  list.scrollTo(0.5 * list.block().height);
  list.rest();
  for (let step = 0; step < 10; step++) {
    const [[from, before] = [0, 0]] = list.seen();
    list.scrollBy(300);
    const [[to, after] = [0, 0]] = list.seen();
    let between = 0;
    for (let row = from; row < to; row++) between += heightsFrom(3)(row);
    expect(before + between - after).toBeCloseTo(300, -1);
  }
});

it.each([100, 3_000, MANY])('%i rows: each end is reached at once, from anywhere', (count) => {
  const list = listOf(count, heightsFrom(3));
  for (const from of [0.2, 0.5, 0.9]) {
    list.scrollTo(from * list.block().height);
    list.scrollTo(list.block().height);
    expect(list.seen().at(-1)?.[0]).toBe(count - 1);
    list.scrollTo(list.block().height);
    const [last, at] = list.seen().at(-1) ?? [0, 0];
    expect(at + heightsFrom(3)(last)).toBeCloseTo(SCREEN, -1);
    list.scrollTo(0);
    expect(list.seen()[0]).toEqual([0, 0]);
  }
});

it.each([3_000, MANY])(
  '%i rows: Home and End reach the ends although rows turn out to be higher',
  (count) => {
    const list = listOf(count, heightsFrom(3));
    for (const from of [0.2, 0.5, 0.9]) {
      list.scrollTo(from * list.block().height);
      list.rest();
      list.animate(1);
      expect(list.seen().at(-1)?.[0]).toBe(count - 1);
      list.animate(0);
      expect(list.seen()[0]).toEqual([0, 0]);
    }
  },
);

it('each row is reached by scrolling, in both directions, also in a list that is higher than a browser can draw', () => {
  const list = listOf(MANY, heightsFrom(5));
  for (const share of [0, 0.0005, 0.4, 0.9995]) {
    list.scrollTo(share * (list.block().height - SCREEN));
    for (const by of [600, -600]) {
      let [at] = list.seen()[0] ?? [0];
      for (let step = 0; step < 300; step++) {
        list.scrollBy(by);
        if (step % 50 === 0) list.rest();
        const rows = list.seen().map(([index]) => index);
        // Nothing between two screens is left out.
        const near = by > 0 ? rows.some((index) => index <= at + 20) : rows.some((index) => index >= at - 20);
        expect(near).toBe(true);
        at = rows[0] ?? at;
        if (at === 0 || rows.at(-1) === MANY - 1) break;
      }
    }
  }
  // The first and the last row, step by step.
  list.scrollTo(2_000);
  for (let step = 0; step < 2_000 && list.top() > 0; step++) list.scrollBy(-300);
  expect(list.seen()[0]).toEqual([0, 0]);
  list.scrollTo(list.block().height);
  list.scrollBy(-2_000);
  for (let step = 0; step < 100 && list.share() < 1; step++) list.scrollBy(300);
  expect(list.seen().at(-1)?.[0]).toBe(MANY - 1);
});

it('the scroll bar shows how far the user is, once it rests', () => {
  const list = listOf(MANY, () => 60);
  list.scrollTo(0.25 * list.block().height);
  for (let step = 0; step < 5_000; step++) list.scrollBy(2_000);
  list.rest();
  const [[index] = [0]] = list.seen();
  expect(list.share()).toBeCloseTo(index / MANY, 1);
});

it.each([2_000, MANY])('%i rows: a screen reads the heights of a few rows', (count) => {
  const list = listOf(count, heightsFrom(7));
  list.reads();
  for (const top of [700, 0.5 * list.block().height, list.block().height]) {
    list.scrollTo(top);
    expect(list.reads()).toBeLessThan(300);
  }
});
