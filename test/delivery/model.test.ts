/** Gathering and deciding, with random acts, choices and crashes, on two hosts. */
import fc from 'fast-check';
import { test } from 'vitest';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { actions } from './support/actions.ts';
import { createCrowd } from './support/crowd.ts';
import { openDeliverySystem } from './support/deliverySystem.ts';
import { createFaults, faults } from './support/faults.ts';
import { openModel } from './support/model.ts';
import { WINDOWS } from './support/windows.ts';

const { numRuns, timeout, within } = budget({ runs: 8, seconds: 15 });

test(`deliveries model: at most one per window, nothing that is unread and wanted is left, and words are right (seed ${seed})`, {
  timeout,
}, async () => {
  const { through, begin, end } = createFaults();
  const system = await openDeliverySystem({ windows: WINDOWS, through });
  const crowd = await createCrowd(system);
  await fc.assert(
    fc.asyncProperty(
      actions,
      faults,
      within(async (steps, stream) => {
        const model = await openModel(system, crowd);
        await system.pass(0);
        begin(stream, model.actMeanwhile);
        for (const step of steps) await model.perform(step);
        end();
        await model.finish();
      }),
    ),
    { numRuns },
  );
});
