/** A command beside servers, while the shape of the table changes. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { openForCommand, openForReshape } from '../../src/app/commandDatabase.ts';
import { loadConfig } from '../../src/config.ts';
import { StartError } from '../../src/core/errors.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { KNOWN_SHAPES, NEWEST_SHAPE } from '../../src/dynamo/shapes.ts';
import { readHeartbeats } from '../../src/reshape/heartbeats.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';

const log = pino({ level: 'silent' });

test('a command says that it is there, follows the shape to its end, and refuses to write one that it does not know', async () => {
  const config = loadConfig({ DATA_DIR: await temporaryDirectory() });
  const database = await openForCommand(config, log, { create: true });
  // Another process that uses the same table.
  const other = await openForReshape(config, log);
  onTestFinished(() => database.close());
  const dynamo = createDynamo(other);
  const force = (inForce: number, rev: number) => dynamo.put({ ...keys.shape(), v: 1, inForce, rev });
  const following = async () => (await readHeartbeats(dynamo, Date.now())).map(({ follows }) => follows);

  expect(database.shape()).toBe(NEWEST_SHAPE);
  expect(await readHeartbeats(dynamo, Date.now())).toMatchObject([{ knows: [...KNOWN_SHAPES] }]);
  await force(1, 7);
  await expect.poll(following, { timeout: 30_000 }).toEqual([7]);
  expect(database.shape()).toBe(1);
  await force(NEWEST_SHAPE + 1, 8);
  await expect.poll(() => refusalOf(database.shape), { timeout: 30_000 }).toBeInstanceOf(StartError);
  await force(NEWEST_SHAPE, 9);
  await expect.poll(following, { timeout: 30_000 }).toEqual([9]);
  // What was written meanwhile is not known.
  expect(refusalOf(database.shape)).toBeInstanceOf(StartError);

  const second = await openForCommand(config, log, { create: false });
  expect(await following()).toHaveLength(2);
  await second.close();
  expect(await following()).toHaveLength(1);
  await other.close();
});

function refusalOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
