/** The costs of saved messages in docs/data-model.md, if a person has saved ten, and ten thousand (a hundred thousand in CI). */
import { test } from 'vitest';
import { userIdOf } from '../../src/core/identity.ts';
import { goneEntries, savedItems } from '../saved/support/bulk.ts';
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
    const database = await openTestDynamo({ items: savedItems(goneEntries(userIdOf(HANDLE), count)) });
    const fixture = await openCostFixture(100, { database, dan: HANDLE });
    await expectDocumented(fixture, savedPatterns);
  },
  TEST_TIMEOUT_MS,
);
