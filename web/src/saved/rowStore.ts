/**
 * The rows of one open list, in chunks: a list may have a million. A change copies the chunks that it concerns, and the
 * list of chunks. So a page costs what it has, wherever it is, and the rows before it are neither read nor copied.
 */

import { createKeyMap } from './keyMap.ts';

/** What the store needs to know of a row. */
interface Keyed {
  readonly key: string;
}

/** The most rows of a chunk. */
const CHUNK = 256;

/** All rows as they are at one moment. */
export interface Rows<R extends Keyed> extends Iterable<R> {
  readonly length: number;
  at(place: number): R | undefined;
  /** The place of a row, -1 if there is none. Only the newest version finds all of them. */
  find(key: string): number;
  /** As for arrays, but with places from the start only. */
  slice(from: number, to: number): R[];
  /** Those with these keys, in the order of the list. Only the newest version finds all of them. */
  pick(keys: Iterable<string>): R[];
}

export interface RowStore<R extends Keyed> {
  get(): Rows<R>;
  has(key: string): boolean;
  /** The place of a row, -1 if there is none. */
  find(key: string): number;
  /** Adds those that are new at the end. */
  append(rows: readonly R[]): void;
  /** Each key once, with its last value. */
  reset(rows: readonly R[]): void;
  insert(place: number, row: R): void;
  remove(place: number): void;
  /** Other values of rows, by their places. The keys must stay. */
  replace(rows: ReadonlyMap<number, R>): void;
  /**
   * Replaces the rows before `first` and after `last`. `change` returns the same row if it has nothing to change, and
   * must do so for what it returned: it is not called again for the rows of a chunk that has been changed as a whole.
   */
  replaceOutside(first: number, last: number, change: (row: R) => R): void;
}

/** It does not change. */
interface Chunk<R> {
  /** Stays the same in later versions of the chunk. */
  readonly id: number;
  readonly rows: readonly R[];
}

interface Version<R extends Keyed> extends Rows<R> {
  readonly chunks: readonly Chunk<R>[];
  /** The place of the first row of each chunk. */
  readonly starts: readonly number[];
  /** The chunk that has a place, by its index. */
  chunkAt(place: number): number;
}

function createVersion<R extends Keyed>(
  chunks: readonly Chunk<R>[],
  find: (key: string) => number,
): Version<R> {
  const starts: number[] = [];
  let length = 0;
  for (const { rows } of chunks) {
    starts.push(length);
    length += rows.length;
  }
  // Most readers go from one place to the next, so it must be fast in one chunk.
  let current: readonly R[] = [];
  let [from, until] = [0, 0];

  function chunkAt(place: number): number {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? length) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  function at(place: number): R | undefined {
    if (place < from || place >= until) {
      if (place < 0 || place >= length) return undefined;
      const index = chunkAt(place);
      current = chunks[index]?.rows ?? [];
      from = starts[index] ?? 0;
      until = from + current.length;
    }
    return current[place - from];
  }

  return {
    chunks,
    starts,
    length,
    chunkAt,
    at,
    find(key) {
      const place = find(key);
      return at(place)?.key === key ? place : -1;
    },
    slice(from, to) {
      const rows: R[] = [];
      for (let place = Math.max(0, from); place < Math.min(to, length); place++) {
        const row = at(place);
        if (row !== undefined) rows.push(row);
      }
      return rows;
    },
    pick(keys) {
      const places = [...keys].map((key) => ({ key, place: find(key) }));
      return places
        .sort((one, other) => one.place - other.place)
        .flatMap(({ key, place }) => {
          const row = at(place);
          return row?.key === key ? [row] : [];
        });
    },
    *[Symbol.iterator]() {
      for (const { rows } of chunks) yield* rows;
    },
  };
}

/** `chunkSize`: for tests. */
export function createRowStore<R extends Keyed>(chunkSize = CHUNK): RowStore<R> {
  let version = createVersion<R>([], find);
  /** The chunk of each row, by their key and its id. */
  const chunkOf = createKeyMap<number>();
  /** The index of each chunk, by its id. */
  let indexes = new Map<number, number>();
  /** Chunks of which each row has been changed by `replaceOutside`. */
  let settled = new WeakSet<Chunk<R>>();
  let nextId = 0;

  function show(chunks: readonly Chunk<R>[]): void {
    version = createVersion(chunks, find);
    indexes = new Map(chunks.map(({ id }, index) => [id, index]));
  }

  /** A new chunk. */
  function chunkWith(rows: readonly R[]): Chunk<R> {
    const chunk = { id: nextId++, rows };
    for (const { key } of rows) chunkOf.set(key, chunk.id);
    return chunk;
  }

  function append(rows: readonly R[]): void {
    const added: R[] = [];
    const keys = new Set<string>();
    for (const row of rows) {
      if (chunkOf.has(row.key) || keys.has(row.key)) continue;
      keys.add(row.key);
      added.push(row);
    }
    if (added.length === 0) return;
    const chunks = [...version.chunks];
    const last = chunks.at(-1);
    let from = 0;
    if (last !== undefined && last.rows.length < chunkSize) {
      from = chunkSize - last.rows.length;
      const more = added.slice(0, from);
      for (const { key } of more) chunkOf.set(key, last.id);
      chunks[chunks.length - 1] = { id: last.id, rows: [...last.rows, ...more] };
    }
    for (; from < added.length; from += chunkSize)
      chunks.push(chunkWith(added.slice(from, from + chunkSize)));
    show(chunks);
  }

  function find(key: string): number {
    const index = indexes.get(chunkOf.get(key) ?? -1);
    if (index === undefined) return -1;
    const inChunk = version.chunks[index]?.rows.findIndex((row) => row.key === key) ?? -1;
    return inChunk < 0 ? -1 : (version.starts[index] ?? 0) + inChunk;
  }

  return {
    get: () => version,
    has: (key) => chunkOf.has(key),
    find,
    append,
    reset(rows) {
      chunkOf.clear();
      settled = new WeakSet();
      show([]);
      append([...new Map(rows.map((row) => [row.key, row])).values()]);
    },
    insert(place, row) {
      const index = version.chunkAt(Math.min(place, version.length - 1));
      const chunk = version.chunks[index];
      if (chunk === undefined) return append([row]);
      const rows = chunk.rows.toSpliced(place - (version.starts[index] ?? 0), 0, row);
      chunkOf.set(row.key, chunk.id);
      const half = rows.length > chunkSize ? Math.ceil(rows.length / 2) : rows.length;
      const parts: Chunk<R>[] = [{ id: chunk.id, rows: rows.slice(0, half) }];
      if (half < rows.length) parts.push(chunkWith(rows.slice(half)));
      show(version.chunks.toSpliced(index, 1, ...parts));
    },
    remove(place) {
      const row = version.at(place);
      if (row === undefined) return;
      const index = version.chunkAt(place);
      const chunk = version.chunks[index];
      if (chunk === undefined) return;
      chunkOf.delete(row.key);
      const rows = chunk.rows.toSpliced(place - (version.starts[index] ?? 0), 1);
      const rest = { id: chunk.id, rows };
      if (settled.has(chunk)) settled.add(rest);
      show(version.chunks.toSpliced(index, 1, ...(rows.length === 0 ? [] : [rest])));
    },
    replace(changes) {
      const changed = new Map<number, R[]>();
      for (const [place, row] of changes) {
        if (version.at(place)?.key !== row.key) continue;
        const index = version.chunkAt(place);
        const rows = changed.get(index) ?? [...(version.chunks[index]?.rows ?? [])];
        rows[place - (version.starts[index] ?? 0)] = row;
        changed.set(index, rows);
      }
      if (changed.size === 0) return;
      const chunks = [...version.chunks];
      for (const [index, rows] of changed) {
        const chunk = chunks[index];
        if (chunk !== undefined) chunks[index] = { id: chunk.id, rows };
      }
      show(chunks);
    },
    replaceOutside(first, last, change) {
      const chunks = [...version.chunks];
      let isSame = true;
      for (const [index, chunk] of version.chunks.entries()) {
        const start = version.starts[index] ?? 0;
        const end = start + chunk.rows.length - 1;
        if (settled.has(chunk) || (start >= first && end <= last)) continue;
        const rows = chunk.rows.map((row, i) => (start + i < first || start + i > last ? change(row) : row));
        const isChanged = rows.some((row, i) => row !== chunk.rows[i]);
        const next = isChanged ? { id: chunk.id, rows } : chunk;
        if (isChanged) [chunks[index], isSame] = [next, false];
        if (end < first || start > last) settled.add(next);
      }
      if (!isSame) show(chunks);
    },
  };
}
