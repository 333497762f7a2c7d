/**
 * Compares the costs in docs/data-model.md with measured ones, at ten messages and at a thousand (ten thousand in CI).
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
test.each(onDynamoDbLocal ? [10, 1_000] : [10, scaled(1_000)])(
  'docs/data-model.md: has the cost of every access pattern with %i messages in the room',
  async (size) => {
    await expectDocumented(await openCostFixture(size), accessPatterns);
  },
  300_000,
);
