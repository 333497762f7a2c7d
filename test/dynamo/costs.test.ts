/**
 * Compares the costs in docs/data-model.md with measured ones, with a thousand messages (ten thousand in CI).
 * `costsOfFew.test.ts` compares them with ten.
 */
import { expect, test } from 'vitest';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { scaled } from '../support/run/budget.ts';
import { accessPatterns } from './support/accessPatterns.ts';
import { openCostFixture } from './support/costFixture.ts';
import { documented, expectDocumented } from './support/documentedCosts.ts';
import { savedPatterns } from './support/savedPatterns.ts';

test('docs/data-model.md: every row of costs is measured', async () => {
  const names = [...accessPatterns, ...savedPatterns].map(({ name }) => name);
  expect(names.sort()).toEqual(Object.keys(await documented()).sort());
});

// DynamoDB Local becomes slow with more items.
const MESSAGES = onDynamoDbLocal ? 1_000 : scaled(1_000);

test(`docs/data-model.md: has the cost of every access pattern with ${MESSAGES} messages in the room`, async () => {
  await expectDocumented(await openCostFixture(MESSAGES), accessPatterns);
}, 300_000);
