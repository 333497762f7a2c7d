/**
 * The costs of saved messages in docs/data-model.md, if a person has saved ten thousand (a hundred thousand in CI).
 * `costsOfFew.test.ts` compares them with ten.
 */
import { test } from 'vitest';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { scaled, TEST_TIMEOUT_MS } from '../support/run/budget.ts';
import { expectDocumented } from './support/documentedCosts.ts';
import { openSavedCostFixture } from './support/savedCostFixture.ts';
import { savedPatterns } from './support/savedPatterns.ts';

// DynamoDB Local has nothing that loads a table.
const SAVED = onDynamoDbLocal ? 1_000 : scaled(10_000);

test(
  `docs/data-model.md: has the cost of every access pattern of saved messages with ${SAVED} saved`,
  async () => {
    await expectDocumented(await openSavedCostFixture(SAVED), savedPatterns);
  },
  TEST_TIMEOUT_MS,
);
