import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { onDynamoDbLocal } from '../../support/database/dynamo.ts';
import type { CostFixture, Total } from './costFixture.ts';
import type { Pattern } from './pattern.ts';

/** The rows of the tables that end in three numbers: round trips, read units, write units. */
export async function documented(): Promise<Record<string, Total>> {
  const text = await readFile(new URL('../../../docs/data-model.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| (.+?) \| .* \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm);
  return Object.fromEntries(
    [...rows].map(([, name = '', roundTrips, read, write]) => [
      name,
      { roundTrips: Number(roundTrips), read: Number(read), write: Number(write) },
    ]),
  );
}

async function measured(fixture: CostFixture, patterns: readonly Pattern[]): Promise<Record<string, Total>> {
  try {
    const totals: Record<string, Total> = {};
    for (const { name, before, run } of patterns) {
      await before?.(fixture);
      totals[name] = await fixture.measure(() => run(fixture));
    }
    return totals;
  } finally {
    await fixture.stop();
  }
}

/**
 * Performs the patterns one after the other, and stops the fixture. Fails if one costs something else than its row
 * says.
 */
export async function expectDocumented(fixture: CostFixture, patterns: readonly Pattern[]): Promise<void> {
  const rows = await documented();
  const totals = await measured(fixture, patterns);
  const corrected = onDynamoDbLocal ? correctedForLocal(totals, rows) : totals;
  // Only the rows that differ, so that a failure names them: nothing prints a whole object of this size.
  const differing = patterns
    .map(({ name }) => name)
    .filter((name) => !isDeepStrictEqual(corrected[name], rows[name]));
  const pick = (from: Record<string, Total>) =>
    Object.fromEntries(differing.map((name) => [name, from[name]]));
  expect(pick(corrected)).toEqual(pick(rows));
}

/** The most items that a pattern reads although they do not exist: those of a new direct room, for example. */
const ABSENT_MAX = 8;
/**
 * Patterns that read an item for each of ten messages or twenty names, and up to three more. None of the items exists.
 */
const ABSENT: Readonly<Record<string, number>> = {
  '`Message.viewerIsFollowing`, of a page of 10': 11,
  '`Message.publicSaveCount`, of a page of 10': 11,
  'consumer: ten likes of one message in one batch': 11,
  '`saveMessage`, with 20 new tags': 21,
  '`Viewer.reminders`, a page of 10, with messages and tags': 11,
  '`setVisibilityOfTagged`, of 20 messages, to private': 11,
  '`Viewer.savedMessages`, the oldest 10, whose messages are gone': 13,
  '`Viewer.savedMessages`, the oldest 10 by message, which are gone': 13,
  '`Viewer.savedMessages`, the last 10, whose messages are gone': 13,
};
/** Patterns that write entries of the index in a transaction, and how many units more DynamoDB Local charges for it. */
const INDEXED: Readonly<Record<string, number>> = {
  "a new user's first request": 1,
  '`markNotificationsRead`, one': 1,
  'consumer: two notifications were marked as read at once': 4,
};

/**
 * Puts the documented numbers in place of those that DynamoDB Local reports differently from AWS: it charges nothing
 * for reading items that do not exist, and for a transaction only the cost of one of its writes (the index's share
 * twice). Fails if a number differs by more than that.
 */
function correctedForLocal(
  totals: Record<string, Total>,
  truth: Record<string, Total>,
): Record<string, Total> {
  return Object.fromEntries(
    Object.entries(totals).map(([name, { roundTrips, read, write }]) => {
      const expected = truth[name] ?? { roundTrips: 0, read: 0, write: 0 };
      const free = expected.read - read;
      const absent = ABSENT[name] ?? ABSENT_MAX;
      const most = expected.write + (INDEXED[name] ?? 0);
      expect([name, free >= 0 && free <= absent, write <= most]).toEqual([name, true, true]);
      return [name, { roundTrips, read: expected.read, write: expected.write }];
    }),
  );
}
