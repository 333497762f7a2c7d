/**
 * The costs of saved messages in docs/data-model.md, if a person has saved ten, and ten thousand (a hundred thousand in
 * CI), and some hundred more with one tag: all that pages of others' lists, and of lists of several tags, examine in
 * any longer list.
 */
import { test } from 'vitest';
import { userIdOf } from '../../src/core/identity.ts';
import { commonEntries, goneEntries, savedItems } from '../saved/support/bulk.ts';
import { onDynamoDbLocal, openTestDynamo } from '../support/database/dynamo.ts';
import { scaled, TEST_TIMEOUT_MS } from '../support/run/budget.ts';
import { openCostFixture } from './support/costFixture.ts';
import { expectDocumented } from './support/documentedCosts.ts';
import { savedPatterns } from './support/savedPatterns.ts';

const HANDLE = 'saver';

// DynamoDB Local has nothing that loads a table.
test.each(onDynamoDbLocal ? [10, 1_000] : [10, scaled(10_000)])(
  'docs/data-model.md: has the cost of every access pattern of saved messages with %i saved',
  async (count) => {
    const user = userIdOf(HANDLE);
    const entries = [...goneEntries(user, count), ...commonEntries(user)];
    const database = await openTestDynamo({ items: savedItems(entries) });
    const fixture = await openCostFixture(100, { database, dan: HANDLE });
    await expectDocumented(fixture, savedPatterns);
  },
  TEST_TIMEOUT_MS,
);
