/**
 * An operator takes a shape back, or puts it in force, at any moment of an import. The import learns of it a second
 * later.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { FIRST_SHAPE, LONG_BODIES } from '../../src/dynamo/shapes.ts';
import { identitiesOf } from '../../src/import/identities.ts';
import { runImport } from '../../src/import/import.ts';
import { readerOf } from '../../src/import/reader.ts';
import { heartbeatItem } from '../../src/reshape/heartbeats.ts';
import { createRehearsal, messagesIn, withoutShape } from '../reshape/support/job.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { exported, fileOf } from './support/files.ts';

let database: TestDynamo;
let control: TestDynamo;
let rehearsal: ReturnType<typeof createRehearsal>;
beforeAll(async () => {
  database = await openTestDynamo();
  control = await openTestDynamo();
  await withoutShape(database.dynamo);
  rehearsal = createRehearsal(database.dynamo);
});
afterAll(async () => {
  await database?.stop();
  await control?.stop();
});

const RATE = 100_000;
const MESSAGES = 16;
const LONG = 'あ'.repeat(500);
const FLAT = identitiesOf('flat');

/** Only the last one is short, so a batch of 25 items would end between a message and its body. */
const rowsOf = (room: string) =>
  Array.from({ length: MESSAGES }, (_, i) => ({
    id: `m${i}`,
    roomId: room,
    userId: `u${i % 3}`,
    text: i === MESSAGES - 1 ? 'Short' : LONG,
    createdAt: new Date(1_700_000_000_000 + i).toISOString(),
    ...(i % 4 === 0 ? {} : { replyToId: `m${i - (i % 4)}` }),
  }));

async function importRoom(room: string, dynamo: Dynamo) {
  const path = await fileOf(
    rowsOf(room)
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
  const given = { people: undefined, rooms: undefined, source: undefined, create: 'PUBLIC' as const };
  const read = await readerOf({ path, dynamo, now: Date.now(), ...given });
  return runImport({ dynamo, read, by: 'batches', now: Date.now });
}

/** What a room is that was imported while nothing else happened. */
async function undisturbed(room: string): Promise<string> {
  await importRoom(room, control.dynamo);
  return exported(control.dynamo, FLAT.room(room));
}

/**
 * A process that has not learned of another shape yet, and stops before its write number `write` until `between` is
 * over.
 */
function interrupted(write: number, shape: number, between: () => Promise<void>) {
  const { dynamo } = database;
  let count = 0;
  let killed: { readonly by: unknown } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  /** One write after the other, so that all before it are stored. */
  const inTurn =
    <A extends unknown[], T>(send: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> => {
      const mine = last.then(async () => {
        if (++count === write) {
          await between().catch((error: unknown) => {
            killed = { by: error };
          });
        }
        // It writes nothing more.
        if (killed !== undefined) throw killed.by;
        return send(...args);
      });
      last = mine.catch(() => undefined);
      return mine;
    };
  const { transport } = dynamo;
  const inBatches = inTurn((send: () => Promise<unknown>) => send());
  const own: Dynamo = {
    ...dynamo,
    shape: () => shape,
    transact: inTurn(dynamo.transact),
    transport: {
      ...transport,
      send: ((operation, input, options) => {
        const send = () => transport.send(operation, input, options);
        return operation === 'BatchWriteItem' ? inBatches(send) : send();
      }) as typeof transport.send,
    },
  };
  return { dynamo: own, reached: () => count >= write };
}

const CHANGES = [
  { name: 'back', from: LONG_BODIES, to: FIRST_SHAPE },
  { name: 'start', from: FIRST_SHAPE, to: LONG_BODIES },
] as const;

describe.each(CHANGES)('an import at the moment of `reshape $name`', ({ name, from, to }) => {
  const turnTo = (shape: number) =>
    shape === FIRST_SHAPE ? rehearsal.back() : rehearsal.start({ rate: RATE });

  /** A table in the shape before, in which an import is running. */
  async function begin(): Promise<void> {
    const { dynamo } = database;
    await dynamo.remove(keys.heartbeat('import'));
    if ((await rehearsal.status()).inForce !== from) {
      await turnTo(from);
      await rehearsal.convert();
    }
    const isThere = heartbeatItem({ server: 'import', host: 'db7', knows: [1, 2], follows: 0 }, 0);
    const always = Number.MAX_SAFE_INTEGER;
    await dynamo.put({ ...isThere, silentAt: always, expiresAt: always });
  }

  /** The change, and a pass over the whole table: it goes on until the import follows. */
  async function change(): Promise<void> {
    const { version } = await turnTo(to);
    rehearsal.begin();
    for (let step = 0; step < 3; step++) await rehearsal.step(version);
    expect(await rehearsal.status()).toMatchObject({ inForce: to, change: { converted: false } });
  }

  /** The import has ended. */
  async function end(): Promise<void> {
    await database.dynamo.remove(keys.heartbeat('import'));
    await rehearsal.convert();
    expect(await rehearsal.status()).toMatchObject({ change: { converted: true } });
  }

  /** Each message has its text, and is in the new shape. */
  async function expectWhole(room: string, expected: string): Promise<void> {
    expect(await exported(database.dynamo, FLAT.room(room))).toBe(expected);
    const items = Object.values(await messagesIn(database.dynamo)).filter(({ pk }) =>
      String(pk).includes(FLAT.room(room)),
    );
    expect(items).toHaveLength(to === FIRST_SHAPE ? MESSAGES : 2 * MESSAGES - 1);
    expect(items.filter(({ v }) => v === from)).toHaveLength(to === FIRST_SHAPE ? 0 : 1);
  }

  test('loses no text, whichever write it comes before', async () => {
    for (let write = 1; ; write++) {
      const room = `${name}${write}`;
      await begin();
      const { dynamo, reached } = interrupted(write, from, change);
      await importRoom(room, dynamo);
      if (!reached()) break;
      await end();
      await expectWhole(room, await undisturbed(room));
    }
  });

  test('loses no text if the import is killed then, and run again', async () => {
    for (let write = 1; ; write++) {
      const room = `killed-${name}${write}`;
      await begin();
      const { dynamo, reached } = interrupted(write, from, async () => {
        await change();
        throw new Error('Killed');
      });
      const outcome = await importRoom(room, dynamo).catch(String);
      if (!reached()) break;
      expect(outcome).toBe('Error: Killed');
      await importRoom(room, { ...database.dynamo, shape: () => to });
      await end();
      await expectWhole(room, await undisturbed(room));
    }
  });
});
