import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createProfileCache } from '../../src/users/profileCache.ts';
import { loadUserOrThrow } from '../../src/users/types.ts';
import { createUsers } from '../../src/users/users.ts';
import { recordingLog } from '../bus/support/bus.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';

let database: TestDynamo;
beforeAll(async () => {
  database = await openTestDynamo();
});
afterAll(() => database?.stop());

/** The parts of one server that know profiles. `reads` counts its batches. */
function createTestServer(bus: ReturnType<typeof createMemoryBus>) {
  const { dynamo } = database;
  const { log } = recordingLog();
  const profileCache = createProfileCache({ bus, publisher: createPublisher({ bus, log }) });
  const users = createUsers({ dynamo, timestamps: createTimestamps(), profileCache });
  const server = { reads: 0 };
  /** Holds back the answers of the database while it is set. */
  let held: Promise<void> | undefined;
  const source = {
    batchGet: async (...args: Parameters<typeof dynamo.batchGet>) => {
      const items = await dynamo.batchGet(...args);
      server.reads++;
      await held;
      return items;
    },
  };
  return Object.assign(server, {
    profileCache,
    users,
    hold(until: Promise<void>) {
      held = until;
    },
    /** The user's name as one operation shows it. */
    nameOf: async (user: string) =>
      (await loadUserOrThrow(user, createItemLoader(source, profileCache))).displayName,
  });
}

let [one, two]: Array<ReturnType<typeof createTestServer>> = [];
let user: string;
let subjects = 0;
beforeEach(async () => {
  const bus = createMemoryBus({ log: recordingLog().log });
  [one, two] = [createTestServer(bus), createTestServer(bus)];
  await Promise.all([one.profileCache.start(), two.profileCache.start()]);
  user = await one.users.ensure({ sub: `subject-${++subjects}`, name: 'Before' });
});

function servers() {
  if (one === undefined || two === undefined) throw new Error('There are no servers.');
  return { one, two };
}

test('profileCache: a profile is read once for many operations', async () => {
  const { one } = servers();
  for (let i = 0; i < 5; i++) expect(await one.nameOf(user)).toBe('Before');
  expect(one.reads).toBe(1);
});

test('profileCache: a change is seen at once on its server, and by the message on others', async () => {
  const { one, two } = servers();
  expect([await one.nameOf(user), await two.nameOf(user)]).toEqual(['Before', 'Before']);
  await one.users.update(user, { displayName: 'After' });
  expect(await one.nameOf(user)).toBe('After');
  // The memory bus delivers in a later turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await two.nameOf(user)).toBe('After');
});

test('profileCache: what was being read during a change is not kept', async () => {
  const { one } = servers();
  let release = () => {};
  one.hold(
    new Promise((resolve) => {
      release = resolve;
    }),
  );
  const reading = one.nameOf(user);
  // The old profile was read, but has not arrived.
  while (one.reads === 0) await new Promise((resolve) => setImmediate(resolve));
  await one.users.update(user, { displayName: 'After' });
  release();
  await reading;
  expect(await one.nameOf(user)).toBe('After');
});

test('profileCache: after a lost message, the comparison and a resync forget what is kept', async () => {
  const { one } = servers();
  const elsewhere = createUsers({ dynamo: database.dynamo, timestamps: createTimestamps() });
  expect(await one.nameOf(user)).toBe('Before');
  await elsewhere.update(user, { displayName: 'Compared' });
  await one.profileCache.compare();
  expect(await one.nameOf(user)).toBe('Compared');
  await elsewhere.update(user, { displayName: 'Read again' });
  await one.profileCache.resync();
  expect(await one.nameOf(user)).toBe('Read again');
});

test('profileCache: nothing is kept before the server receives changes', async () => {
  const server = createTestServer(createMemoryBus({ log: recordingLog().log }));
  await server.nameOf(user);
  await server.nameOf(user);
  expect(server.reads).toBe(2);
});

test('profileCache: what an operation read by another source is not kept', async () => {
  const { one } = servers();
  const items = createItemLoader(database.dynamo, one.profileCache);
  items.clear({ batchGet: (wanted) => database.dynamo.batchGet(wanted) });
  await items.load(keys.user(user));
  expect(one.profileCache.get(keys.user(user))).toBeUndefined();
});
