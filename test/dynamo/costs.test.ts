/** docs/data-model.md says what everything costs; this holds it to that, at ten messages and at a thousand (ten thousand in CI). */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { scaled } from '../support/budget.ts';
import { onDynamoDbLocal } from '../support/dynamo.ts';
import { accessPatterns } from './accessPatterns.ts';
import { openWorld, type Total } from './costWorld.ts';

/** The rows of the tables that end in three numbers: round trips, read units, write units. */
async function documented(): Promise<Record<string, Total>> {
  const text = await readFile(new URL('../../docs/data-model.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| (.+?) \| .* \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm);
  return Object.fromEntries(
    [...rows].map(([, name = '', roundTrips, read, write]) => [
      name,
      { roundTrips: Number(roundTrips), read: Number(read), write: Number(write) },
    ]),
  );
}

async function measured(size: number): Promise<Record<string, Total>> {
  const world = await openWorld(size);
  try {
    const totals: Record<string, Total> = {};
    for (const { name, before, run } of accessPatterns) {
      await before?.(world);
      totals[name] = await world.measure(() => run(world));
    }
    return totals;
  } finally {
    await world.stop();
  }
}

/** How many items a pattern asks for in vain at most: a direct room that is not there yet, say. */
const ABSENT_MAX = 8;
/** Those of ten messages, where nobody has done anything to any of them yet. */
const ABSENT_OF_TEN: ReadonlySet<string> = new Set([
  '`Message.viewerIsFollowing`, of a page of 10',
  'consumer: ten likes of one message in one batch',
]);
/** Patterns that move entries of the index, and by how many units DynamoDB Local charges more for it. */
const MOVED: Readonly<Record<string, number>> = {
  '`markNotificationsRead`, one': 1,
  'consumer: both of two notifications were read': 4,
};

/**
 * What DynamoDB Local tells otherwise than AWS: it charges nothing for reading what is not there, and for
 * a transaction what one of its writes costs (the index's share twice).
 */
function asLocalTells(totals: Record<string, Total>, truth: Record<string, Total>): Record<string, Total> {
  return Object.fromEntries(
    Object.entries(totals).map(([name, { roundTrips, read, write }]) => {
      const said = truth[name] ?? { roundTrips: 0, read: 0, write: 0 };
      const free = said.read - read;
      const absent = ABSENT_OF_TEN.has(name) ? 10 : ABSENT_MAX;
      const most = said.write + (MOVED[name] ?? 0);
      expect([name, free >= 0 && free <= absent, write <= most]).toEqual([name, true, true]);
      return [name, { roundTrips, read: said.read, write: said.write }];
    }),
  );
}

describe('what the data model says of every access pattern', () => {
  // DynamoDB Local becomes slow with more in it.
  test.each(onDynamoDbLocal ? [10, 1_000] : [10, scaled(1_000)])(
    'is so with %i messages in the room',
    async (size) => {
      const [truth, totals] = [await documented(), await measured(size)];
      expect(onDynamoDbLocal ? asLocalTells(totals, truth) : totals).toEqual(truth);
    },
    120_000,
  );
});
