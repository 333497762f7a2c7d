import { pino } from 'pino';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, keys, parseKey } from '../../../src/dynamo/keys.ts';
import type { Change, StreamHandler } from '../../../src/stream/change.ts';

export const silent = pino({ level: 'silent' });

/** A logger that keeps its lines. */
export function createTestLog() {
  const lines: Array<{ level: string; message: string; fields: object }> = [];
  const at = (level: string) => (fields: unknown, message?: string) => {
    lines.push({ level, message: message ?? '', fields: fields as object });
  };
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}

export const rootKey = (room: string, n: number): Key => {
  const stamp = String(n).padStart(16, '0');
  return keys.root(room, stamp);
};

/** The insertion of one thread root, number `n` of the stream. */
export function insertion(n: number, room = 'r'): Change {
  const key = rootKey(room, n);
  const item: Item = { ...key, v: 1, n };
  return { stream: 's', sequence: String(n), kind: 'INSERT', key: parseKey(key), new: item, expired: false };
}

export const insertions = (count: number, room = 'r'): Change[] =>
  Array.from({ length: count }, (_, i) => insertion(i + 1, room));

export interface RecordingHandler extends StreamHandler {
  /** Every change of every call that succeeded, in order. */
  readonly handled: Change[];
  /** The sizes of all calls, failed ones included. */
  readonly calls: number[];
}

/** A handler that keeps its changes. `fail` may throw before. */
export function createRecorder({
  name = 'recorder',
  itemTypes = ['root'],
  fail = () => {},
}: {
  readonly name?: string;
  readonly itemTypes?: StreamHandler['itemTypes'];
  readonly fail?: (changes: readonly Change[]) => void | Promise<void>;
} = {}): RecordingHandler {
  const handled: Change[] = [];
  const calls: number[] = [];
  return {
    name,
    itemTypes,
    handled,
    calls,
    async handle(changes) {
      calls.push(changes.length);
      await fail(changes);
      handled.push(...changes);
    },
  };
}

/** The `n` of the changed items. */
export const numbers = (changes: readonly Change[]): number[] =>
  changes.map((change) => Number(change.new?.n));
