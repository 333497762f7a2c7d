import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dynamo, Page } from '../../src/dynamo/dynamo.ts';
import { keys, likers as likersIndex } from '../../src/dynamo/keys.ts';
import { type Message, type MessageKey, messageOf } from '../../src/messages/message.ts';
import { createReactionHolders } from '../../src/reactions/holders.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { budget } from '../support/budget.ts';
import { seed } from '../support/seed.ts';

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
    ...{ name: 'Room', topic: null, visibility: 'PUBLIC', capacity: null },
  });
  room = created.id;
  for (const user of users.slice(1)) await services.rooms.join(user, room);
});
afterAll(() => app.stop());

const send = (): Promise<Message> =>
  app.services.messages.send({ room, author: users[0] ?? '', body: 'Tea?' });

async function current(key: MessageKey): Promise<Message> {
  const item = await app.dynamo.get(keys.message(key.room, key.t, key.c));
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

const { numRuns, timeout, within } = budget({ runs: 8, seconds: 10 });
const steps = fc.array(fc.nat(USERS - 1), { minLength: 1, maxLength: 7 });

test(`likers: exact or unknown, however old the event is and however far the index lags (seed ${seed})`, {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.nat(7),
      fc.nat(7),
      within(async (toggles, eventAt, indexAt) => {
        const message = await send();
        const { dynamo, freeze } = laggingIndex(message);
        const likers = new Set<string>();
        let event = message;
        for (const [i, index] of toggles.entries()) {
          if (i === eventAt) event = await current(message);
          if (i === indexAt) await freeze();
          const user = users[index] ?? '';
          if (likers.delete(user)) {
            await app.services.likes.unlike(user, message);
          } else {
            likers.add(user);
            await app.services.likes.like(user, message);
          }
        }
        if (eventAt >= toggles.length) event = await current(message);
        const found = await createReactionHolders({ dynamo }).likers(event, READERS);
        // An event from before the first like shows no likes, so no one's like is shown either.
        if (Number(event.extras.likeCount ?? 0) === 0) expect(found).toEqual(new Set());
        else if (found !== undefined) expect(found).toEqual(likers);
        if (indexAt >= toggles.length && found === undefined) throw new Error('The index is current.');
      }),
    ),
    { numRuns },
  );
});

test('likers: an index that misses a like and has one that was taken back is not believed', async () => {
  const message = await send();
  const [a = '', b = '', c = ''] = users;
  const { dynamo, freeze } = laggingIndex(message);
  await app.services.likes.like(a, message);
  await app.services.likes.like(b, message);
  await freeze();
  await app.services.likes.unlike(b, message);
  await app.services.likes.like(c, message);
  const holders = createReactionHolders({ dynamo });
  expect(await holders.likers(await current(message), READERS)).toBeUndefined();
  await freeze();
  expect(await holders.likers(await current(message), READERS)).toEqual(new Set([a, c]));
});

test('likers: are not read for few readers', async () => {
  const message = await send();
  for (const user of users) await app.services.likes.like(user, message);
  const reads: string[] = [];
  const dynamo: Dynamo = {
    ...app.dynamo,
    queryIndex: async (pk, request) => {
      reads.push(pk);
      return app.dynamo.queryIndex(pk, request);
    },
  };
  const holders = createReactionHolders({ dynamo });
  const event = await current(message);
  expect(await holders.likers({ ...event }, 49)).toBeUndefined();
  expect(reads).toHaveLength(0);
  expect(await holders.likers(event, READERS)).toEqual(new Set(users));
  expect(await holders.likers(event, READERS)).toEqual(new Set(users));
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
  const holders = createReactionHolders({ dynamo: app.dynamo });
  const event = await current(message);
  const of = (stampKey: string) => holders.stampers({ message: event, stampKey }, READERS);
  expect(await Promise.all([of(first), of(second), of(third)])).toEqual([
    new Set([a, b]),
    new Set([b]),
    new Set(),
  ]);
  expect(await holders.stampers({ message: { ...event }, stampKey: first }, 49)).toBeUndefined();
});
