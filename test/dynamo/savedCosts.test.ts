/** The costs of saved messages in docs/data-model.md, if a person has saved ten, and ten thousand (a hundred thousand in CI). */
import { test } from 'vitest';
import { userIdOf } from '../../src/core/identity.ts';
import { toTimestamp } from '../../src/core/timestamps.ts';
import type { SavedEntry } from '../../src/saved/entry.ts';
import { savedItems } from '../saved/support/bulk.ts';
import { onDynamoDbLocal, openTestDynamo } from '../support/database/dynamo.ts';
import { scaled } from '../support/run/budget.ts';
import { openCostFixture } from './support/costFixture.ts';
import { expectDocumented } from './support/documentedCosts.ts';
import { savedPatterns } from './support/savedPatterns.ts';

const HANDLE = 'saver';
/** How many of them have reminders: less than the maximum, because more are saved. */
const REMINDERS_MAX = 900;

/** `count` messages that do not exist any more: half of them are private, and each has the tag `common` and one of `count / 10`. */
function* entries(count: number): Generator<SavedEntry, void> {
  const start = (Date.now() - count) * 1_000;
  const due = Date.now() + 350 * 24 * 3_600_000;
  for (let i = 0; i < count; i++) {
    const ts = toTimestamp(1_000 + i);
    yield {
      ...{ user: userIdOf(HANDLE), room: 'gone', threadTs: ts, ts, savedAt: toTimestamp(start + i) },
      ...{ note: null, version: 1, remindAt: i < count - REMINDERS_MAX ? null : due + i },
      visibility: i < count / 2 ? 'PRIVATE' : 'PUBLIC',
      tags: ['common', `t${i % Math.ceil(count / 10)}`],
    };
  }
}

// DynamoDB Local has nothing that loads a table.
test.each(onDynamoDbLocal ? [10, 1_000] : [10, scaled(10_000)])(
  'docs/data-model.md: has the cost of every access pattern of saved messages with %i saved',
  async (count) => {
    const database = await openTestDynamo({ items: savedItems(entries(count)) });
    const fixture = await openCostFixture(100, { database, dan: HANDLE });
    await expectDocumented(fixture, savedPatterns);
  },
  300_000,
);
