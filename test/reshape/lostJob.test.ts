/** A change of the shape whose job was deleted: it had failed, or was cancelled, and was kept for a week. */
import { expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../src/dynamo/shapes.ts';
import { SHAPE } from '../../src/reshape/newestShape.ts';
import { command } from '../cli/support/commands.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';

const BEFORE = SHAPE.version - 1;

test.each([
  { inForce: SHAPE.version, other: BEFORE, advice: 'back' },
  { inForce: BEFORE, other: SHAPE.version, advice: 'start' },
])(
  'reshape: says to run $advice if nothing converts the rest to shape $inForce',
  async (one) => {
    const { inForce, other, advice } = one;
    const { dynamo, endpoint, table, stop } = await openTestDynamo();
    try {
      const reshape = (...args: string[]) =>
        command('reshape', args, { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table });
      const shape = { v: FIRST_SHAPE, inForce, other, rev: 7, since: Date.now(), rate: 500 };
      await dynamo.put({ ...keys.shape(), ...shape });
      const { code, stdout, stderr } = await reshape('status');
      expect([code, stderr]).toEqual([
        0,
        `Nothing converts the rest: the job has failed or was cancelled more than seven days ago. Run \`${advice}\`, which converts in the other direction.\n`,
      ]);
      expect(JSON.parse(stdout)).not.toHaveProperty('state');
      const turned = await reshape(advice);
      expect(turned).toMatchObject({ code: 0, stderr: '' });
      expect(JSON.parse(turned.stdout)).toMatchObject({ inForce: other, from: inForce, state: 'RUNNING' });
    } finally {
      await stop();
    }
  },
  60_000,
);
