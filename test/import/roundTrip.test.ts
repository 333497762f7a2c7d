import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { counters } from '../../src/app/features.ts';
import { LONG_BODIES } from '../../src/dynamo/shapes.ts';
import { verify } from '../../src/verify/verify.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { scaled } from '../support/run/budget.ts';
import { recount } from '../verify/support/recount.ts';
import { exported, importExport } from './support/files.ts';
import { make, step } from './support/rooms.ts';

test('import: a room that was exported and imported is exported again as it was', async () => {
  const [here, other] = [await openTestDynamo(), await openTestDynamo()];
  onTestFinished(() => here.stop());
  onTestFinished(() => other.stop());
  // Long bodies are apart in one of the tables.
  const there = { dynamo: { ...other.dynamo, shape: () => LONG_BODIES } };
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.constantFrom('PUBLIC' as const, 'PRIVATE' as const),
      async (steps, visibility) => {
        const { room } = await make(here.dynamo, steps, visibility);
        const text = await exported(here.dynamo, room);
        const first = await importExport(there.dynamo, text);
        expect(first.newRooms).toBe(1);
        expect(await exported(there.dynamo, room)).toBe(text);
        expect(await recount(there.dynamo)).toEqual([]);
        const again = await importExport(there.dynamo, text);
        expect(again).toMatchObject({ newRooms: 0, newMessages: 0, messages: first.messages });
        expect(await exported(there.dynamo, room)).toBe(text);
        // Nothing of it is missing in the room that it is from.
        expect(await importExport(here.dynamo, text)).toMatchObject({ newRooms: 0, newMessages: 0 });
        const checked = await verify({ dynamo: there.dynamo, counters, fix: false });
        expect(checked.differences).toEqual([]);
      },
    ),
    { numRuns: scaled(8) },
  );
});
