import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { keys, likers as likersIndex } from '../../src/dynamo/keys.ts';
import type { Page } from '../../src/dynamo/reads.ts';
import { type Message, type MessageKey, messageOf } from '../../src/messages/message.ts';
import { likesKind } from '../../src/reactions/likes/kind.ts';
import { createStampHolders } from '../../src/reactions/stamps/holders.ts';
import { createToggleHolders } from '../../src/reactions/toggles/holders.ts';
import { budget } from '../support/run/budget.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';

const USERS = 4;
const READERS = 60;

let app: TestApp;
let users: string[];
let room: string;
beforeAll(async () => {
  app = await startTestApp();
  const { services } = app;
  users = await Promise.all(
    Array.from({ length: USERS }, (_, i) => services.users.ensure({ sub: `u${i}`, handle: `user${i}` })),
  );
  const [owner = ''] = users;
  const created = await services.rooms.create(owner, {
    name: 'Room',
    topic: null,
    visibility: 'PUBLIC',
    capacity: null,
  });
  room = created.id;
  for (const user of users.slice(1)) await services.rooms.join(user, room);
});
afterAll(() => app.stop());

/** A root that has its position, because that is a change of the message, too. */
async function send(): Promise<Message> {
  const key = await app.services.messages.send({ room, author: users[0] ?? '', body: 'Tea?' });
  return eventually(async () => {
    const message = await current(key);
    expect(message.position).not.toBeNull();
    return message;
  });
}

async function current(key: MessageKey): Promise<Message> {
  const item = await app.dynamo.get(keys.message(key.room, key.threadTs, key.ts));
  if (item === undefined) throw new Error('The message is missing.');
  return messageOf(key, item);
}

/** A table whose index answers as it was when `freeze` was called. */
function laggingIndex(message: MessageKey) {
  let frozen: Page | undefined;
  const dynamo: Dynamo = {
    ...app.dynamo,
    async queryIndex(pk, request) {
      if (frozen === undefined) return app.dynamo.queryIndex(pk, request);
      return { items: frozen.items.slice(0, request.limit), more: frozen.items.length > request.limit };
    },
  };
  return {
    dynamo,
    async freeze() {
      frozen = await app.dynamo.queryIndex(likersIndex.pk(message), { limit: 100, reverse: true });
    },
  };
}

const { numRuns, timeout, within } = budget({ runs: 6, seconds: 6 });

/** A user likes the message or takes it back; an event is made; the index lags from here on; an event is handled. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('toggle' as const), user: fc.nat(USERS - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('event' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('freeze' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('look' as const), current: fc.boolean() }) },
);

test(`likers: exact or unknown, however old the event is and however far the index lags (seed ${seed})`, {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 3, maxLength: 14 }),
      within(async (steps) => {
        const message = await send();
        const { dynamo, freeze } = laggingIndex(message);
        const likersOf = createToggleHolders({ dynamo, kind: likesKind });
        let likers: ReadonlySet<string> = new Set();
        const byVersion = new Map([[message.version, likers]]);
        let event = message;
        for (const one of [...steps, { do: 'look', current: true } as const]) {
          if (one.do === 'freeze') await freeze();
          else if (one.do === 'event') event = await current(message);
          else if (one.do === 'toggle') {
            const user = users[one.user] ?? '';
            const likes = !likers.has(user);
            if (likes) await app.services.likes.add(user, message);
            else await app.services.likes.remove(user, message);
            likers = new Set([...likers].filter((liker) => liker !== user).concat(likes ? user : []));
            byVersion.set((await current(message)).version, likers);
          } else {
            const seen = one.current ? await current(message) : { ...event };
            const found = await likersOf(seen, READERS);
            // As they were at the event, or as they are.
            if (found !== undefined) expect([byVersion.get(seen.version), likers]).toContainEqual(found);
          }
        }
      }),
    ),
    { numRuns },
  );
});

test('likers: with a current index they are always known, and later only the new ones are read', async () => {
  const message = await send();
  let read = 0;
  const dynamo: Dynamo = {
    ...app.dynamo,
    batchGet(all) {
      read += all.length;
      return app.dynamo.batchGet(all);
    },
  };
  const likersOf = createToggleHolders({ dynamo, kind: likesKind });
  const look = async () => likersOf(await current(message), READERS);
  const [a = '', b = '', c = '', d = ''] = users;
  for (const user of [a, b]) await app.services.likes.add(user, message);
  expect(await look()).toEqual(new Set([a, b]));
  expect(read).toBe(3);
  await app.services.likes.add(c, message);
  expect(await look()).toEqual(new Set([a, b, c]));
  expect(read).toBe(3 + 2);
  await app.services.likes.remove(a, message);
  expect(await look()).toEqual(new Set([b, c]));
  await app.services.likes.remove(b, message);
  await app.services.likes.add(d, message);
  expect(await look()).toEqual(new Set([c, d]));
  expect(await look()).toEqual(new Set([c, d]));
  expect(read).toBe(3 + 2 + 3 + 3);
});

test('likers: an index that misses a like and has one that was taken back is not believed', async () => {
  const message = await send();
  const [a = '', b = '', c = ''] = users;
  const { dynamo, freeze } = laggingIndex(message);
  await app.services.likes.add(a, message);
  await app.services.likes.add(b, message);
  await freeze();
  await app.services.likes.remove(b, message);
  await app.services.likes.add(c, message);
  const likersOf = createToggleHolders({ dynamo, kind: likesKind });
  expect(await likersOf(await current(message), READERS)).toBeUndefined();
  await freeze();
  expect(await likersOf(await current(message), READERS)).toEqual(new Set([a, c]));
});

test('likers: are not read for few readers', async () => {
  const message = await send();
  for (const user of users) await app.services.likes.add(user, message);
  const reads: string[] = [];
  const dynamo: Dynamo = {
    ...app.dynamo,
    queryIndex: async (pk, request) => {
      reads.push(pk);
      return app.dynamo.queryIndex(pk, request);
    },
  };
  const likersOf = createToggleHolders({ dynamo, kind: likesKind });
  const event = await current(message);
  expect(await likersOf({ ...event }, 49)).toBeUndefined();
  expect(reads).toHaveLength(0);
  expect(await likersOf(event, READERS)).toEqual(new Set(users));
  expect(await likersOf(event, READERS)).toEqual(new Set(users));
  expect(reads).toHaveLength(1);
});

test('stampers: by stamp, and unknown for few readers', async () => {
  const message = await send();
  const { stamps, catalogue } = app.services;
  const [first = '', second = '', third = ''] = catalogue.stamps.map(({ key }) => key);
  const [a = '', b = ''] = users;
  await stamps.add(a, message, first);
  await stamps.add(b, message, first);
  await stamps.add(b, message, second);
  const holders = createStampHolders({ dynamo: app.dynamo });
  const event = await current(message);
  const of = (stampKey: string) => holders({ message: event, stampKey }, READERS);
  expect(await Promise.all([of(first), of(second), of(third)])).toEqual([
    new Set([a, b]),
    new Set([b]),
    new Set(),
  ]);
  expect(await holders({ message: { ...event }, stampKey: first }, 49)).toBeUndefined();
});
