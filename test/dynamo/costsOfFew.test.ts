/** The costs in docs/data-model.md at small sizes. They are the same as at the large ones of `costs.test.ts`. */
import { test } from 'vitest';
import { TEST_TIMEOUT_MS } from '../support/run/budget.ts';
import { accessPatterns } from './support/accessPatterns.ts';
import { openCostFixture } from './support/costFixture.ts';
import { expectDocumented } from './support/documentedCosts.ts';
import { openSavedCostFixture } from './support/savedCostFixture.ts';
import { savedPatterns } from './support/savedPatterns.ts';

const FEW = 10;

test(
  `docs/data-model.md: has the cost of every access pattern with ${FEW} messages in the room`,
  async () => {
    await expectDocumented(await openCostFixture(FEW), accessPatterns);
  },
  TEST_TIMEOUT_MS,
);

test(
  `docs/data-model.md: has the cost of every access pattern of saved messages with ${FEW} saved`,
  async () => {
    await expectDocumented(await openSavedCostFixture(FEW), savedPatterns);
  },
  TEST_TIMEOUT_MS,
);
