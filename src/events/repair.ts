import type { Dynamo } from '../dynamo/dynamo.ts';
import { LAST, parseKey } from '../dynamo/keys.ts';
import type { RoomLog } from './log.ts';

/** How many roots are collected before they are given their positions. */
const CHUNK = 1_000;

export interface RepairOptions {
  readonly dynamo: Dynamo;
  readonly log: RoomLog;
  readonly signal?: AbortSignal;
}

/**
 * Gives the roots that have no position one, in the order of their time stamps: for when the stream has
 * forgotten records that nobody read. Reads the whole table once, so it is not for requests. Safe while
 * the system runs, and to be repeated. Resolves to the number of roots it found.
 */
export async function repairPositions({ dynamo, log, signal }: RepairOptions): Promise<number> {
  let found = 0;
  let rooms = new Map<string, string[]>();
  let waiting = 0;

  async function settle(): Promise<void> {
    for (const [room, stamps] of rooms) {
      const pending = stamps
        .sort()
        .map((t) => ({ entry: { type: 'message', t, c: t, rev: 1, added: true } as const }));
      await log.append(room, pending);
    }
    rooms = new Map();
    waiting = 0;
  }

  const lost = dynamo.scan({
    condition: 'sk BETWEEN :from AND :to AND attribute_not_exists(#position)',
    names: { '#position': 'position' },
    values: { ':from': 'ROOT#', ':to': `ROOT#${LAST}` },
  });
  for await (const item of lost) {
    signal?.throwIfAborted();
    const key = parseKey(item as { pk: string; sk: string });
    if (key.type !== 'root') continue;
    rooms.set(key.room, [...(rooms.get(key.room) ?? []), key.t]);
    found++;
    if (++waiting >= CHUNK) await settle();
  }
  await settle();
  return found;
}
