/** Which token a profile follows if several servers see several of them, in any order. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { type ConsistentLoader, createConsistentLoader } from '../../src/dynamo/itemLoader.ts';
import { type Key, keys } from '../../src/dynamo/keys.ts';
import { createUsers, type Users } from '../../src/users/users.ts';
import { scaled } from '../support/run/budget.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

const unique = () => `h_${newId().slice(0, 10)}`;

const anotherServer = (now = Date.now): Users =>
  createUsers({ dynamo: app.dynamo, now, timestamps: createTimestamps() });

/**
 * Reads at once, and returns what it has read when it is released. `read` resolves when the reads so far have been
 * executed. The first `failing` reads reject.
 */
function heldLoader(failing = 0) {
  const loader = createConsistentLoader(app.dynamo);
  const reads: Array<Promise<unknown>> = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const load: ConsistentLoader['load'] = async (key) => {
    const read = loader.load(key);
    reads.push(read);
    const isFailure = reads.length <= failing;
    await released;
    if (isFailure) throw new OutageError('DynamoDB');
    return read;
  };
  return {
    load,
    loadMany: (all: readonly Key[]) => Promise.all(all.map(load)),
    read: () => Promise.all(reads),
    count: () => reads.length,
    release: () => release(),
  };
}

/** One step: a token of one of two servers, or a change here. */
const step = fc.oneof(
  fc.record({
    server: fc.nat(1),
    issuedAt: fc.integer({ min: 2, max: 9 }),
  }),
  fc.record({ own: fc.constantFrom('displayName' as const, 'avatarUrl' as const) }),
);

test('ensure: a name that changes and changes back is taken over, on each server', async () => {
  const servers = [anotherServer(), anotherServer()] as const;
  const sub = newId();
  const names = [];
  for (const [i, name] of ['Before', 'Married', 'Before', 'Married', 'Married', 'Before'].entries()) {
    // The first server never sees a token with the other name.
    const id = await servers[name === 'Before' ? 0 : 1].ensure({ sub, name, issuedAt: i + 1 });
    names.push((await app.dynamo.get(keys.user(id)))?.displayName);
  }
  expect(names).toEqual(['Before', 'Married', 'Before', 'Married', 'Married', 'Before']);
});

test('ensure: an older token does not change a name back that a newer one has confirmed on another server', async () => {
  const [first, second] = [anotherServer(), anotherServer()];
  const sub = newId();
  const [handle, other] = [unique(), unique()];
  const id = await first.ensure({ sub, name: 'Before', handle, issuedAt: 1 });
  await first.ensure({ sub, name: 'Before', handle, issuedAt: 3 });
  // Issued between them, and used only now.
  await second.ensure({ sub, name: 'For a minute', handle: other, issuedAt: 2 });
  expect(await app.dynamo.get(keys.user(id))).toMatchObject({ displayName: 'Before', handle, tokenAt: 3 });
  await second.ensure({ sub, name: 'After', handle, issuedAt: 4 });
  expect(await app.dynamo.get(keys.user(id))).toMatchObject({ displayName: 'After', handle });
});

test('ensure: a newer token that confirms the profile is noted once in half an hour by a server', async () => {
  let minutes = 0;
  const server = anotherServer(() => minutes * 60_000);
  const sub = newId();
  const tokenAt = async (issuedAt: number) => {
    const id = await server.ensure({ sub, name: 'The same', issuedAt });
    return (await app.dynamo.get(keys.user(id)))?.tokenAt;
  };
  expect([await tokenAt(1), await tokenAt(2), await tokenAt(3)]).toEqual([1, 2, 2]);
  minutes = 29;
  expect(await tokenAt(4)).toBe(2);
  minutes = 30;
  expect([await tokenAt(5), await tokenAt(6)]).toEqual([5, 5]);
});

test('ensure: operations of one token that come together read the profile once', async () => {
  const items = heldLoader();
  const server = createUsers({ dynamo: app.dynamo, items, timestamps: createTimestamps() });
  const token = { sub: newId(), name: 'Aki', issuedAt: 1 };
  const arriving = [server.ensure(token), server.ensure(token), server.ensure(token)];
  items.release();
  const ids = await Promise.all(arriving);
  expect(new Set([...ids, await server.ensure(token)]).size).toBe(1);
  expect(items.count()).toBe(1);
});

test('ensure: after `forget`, starts a new read and does not cache the old one', async () => {
  const sub = newId();
  await anotherServer().ensure({ sub, name: 'Aki', issuedAt: 1 });
  const items = heldLoader();
  const server = createUsers({ dynamo: app.dynamo, items, timestamps: createTimestamps() });
  const token = { sub, name: 'Aki', issuedAt: 1 };
  const before = server.ensure(token);
  await items.read();
  const id = server.idOf(sub);
  const update = 'SET signedOutAt = :now';
  await app.dynamo.update(keys.user(id), { update, values: { ':now': 1 } });
  server.forget(sub);
  const after = server.ensure(token);
  items.release();
  expect(await before).toBe(id);
  await expect(after).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  await expect(server.ensure(token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
});

test('ensure: a call after the user was forgotten is remembered, whichever read ends first', async () => {
  const items = heldLoader();
  const server = createUsers({ dynamo: app.dynamo, items, timestamps: createTimestamps() });
  const token = { sub: newId(), name: 'Aki', issuedAt: 1 };
  const before = server.ensure(token);
  server.forget(token.sub);
  const after = server.ensure(token);
  items.release();
  await Promise.all([before, after]);
  await server.ensure(token);
  expect(items.count()).toBe(2);
});

test('ensure: calls that share a read that fails all fail, and the next one reads again', async () => {
  const items = heldLoader(1);
  const server = createUsers({ dynamo: app.dynamo, items, timestamps: createTimestamps() });
  const token = { sub: newId(), name: 'Aki', issuedAt: 1 };
  const calls = [server.ensure(token), server.ensure(token)];
  items.release();
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await server.ensure(token)).toBe(server.idOf(token.sub));
  expect(items.count()).toBe(2);
});

test('ensure: reads the profile of a deleted account once in 30 seconds, also if the user was known', async () => {
  const items = heldLoader();
  items.release();
  const server = createUsers({ dynamo: app.dynamo, items, timestamps: createTimestamps() });
  const sub = newId();
  const id = await server.ensure({ sub, name: 'Aki', issuedAt: 1 });
  await app.dynamo.update(keys.user(id), { update: 'SET deletedAt = :now', values: { ':now': 1 } });
  for (const issuedAt of [2, 3, 1]) {
    await expect(server.ensure({ sub, name: 'Aki', issuedAt })).rejects.toMatchObject({
      code: 'ACCOUNT_DELETED',
    });
  }
  expect(items.count()).toBe(2);
});

test('ensure: an older token that is slower does not replace what is known of a newer one', async () => {
  const items = heldLoader();
  const server = createUsers({ dynamo: app.dynamo, items, timestamps: createTimestamps() });
  const sub = newId();
  await anotherServer().ensure({ sub, name: 'Aki', issuedAt: 20 });
  const [newer, older] = [
    { sub, name: 'Aki', issuedAt: 10 },
    { sub, name: 'Aki', issuedAt: 5 },
  ];
  const calls = [server.ensure(newer), server.ensure(older)];
  items.release();
  await Promise.all(calls);
  await server.ensure({ ...newer });
  expect(items.count()).toBe(2);
});

test('ensure: a newer token that says less than the profile confirms nothing', async () => {
  const [first, second] = [anotherServer(), anotherServer()];
  const sub = newId();
  const id = await first.ensure({ sub, name: 'Before', handle: unique(), issuedAt: 1 });
  await first.ensure({ sub, issuedAt: 3 });
  await second.ensure({ sub, name: 'After', issuedAt: 2 });
  expect(await app.dynamo.get(keys.user(id))).toMatchObject({ displayName: 'After' });
});

test.each([
  ['says nothing', {}, {}],
  ['says a handle, which became the name,', { handle: 'some_one' }, {}],
  ['says nothing of what follows, because the name was changed here,', {}, { displayName: 'Mine' }],
])(
  'ensure: a newer token that %s does not confirm a profile that has nothing yet',
  async (_what, bare, own) => {
    const [first, second] = [anotherServer(), anotherServer()];
    const sub = newId();
    const id = await first.ensure({ sub, ...bare, issuedAt: 1 });
    await first.update(id, own);
    await first.ensure({ sub, ...bare, issuedAt: 3 });
    const picture = 'https://example.org/1.png';
    await second.ensure({ sub, ...bare, name: 'Aki', picture, issuedAt: 2 });
    const expected = { displayName: 'Aki', avatarUrl: picture, ...own };
    expect(await app.dynamo.get(keys.user(id))).toMatchObject(expected);
  },
);

test('ensure: a note that fails does not refuse the request, and a newer token is noted a minute later', async () => {
  let writes = 0;
  const down: Dynamo = {
    ...app.dynamo,
    tryTransact: () => {
      writes++;
      return Promise.reject(new OutageError());
    },
  };
  let current: Dynamo = app.dynamo;
  const dynamo: Dynamo = {
    ...app.dynamo,
    tryTransact: (some, options) => current.tryTransact(some, options),
  };
  let seconds = 0;
  const now = () => seconds * 1_000;
  const server = createUsers({ dynamo, timestamps: createTimestamps(), now });
  const sub = newId();
  const id = await server.ensure({ sub, name: 'The same', issuedAt: 1 });
  const tokenAt = async () => (await app.dynamo.get(keys.user(id)))?.tokenAt;
  current = down;
  const tokens = [2, 2, 2].map((issuedAt) => ({ sub, name: 'The same', issuedAt }));
  expect(await Promise.all(tokens.map((token) => server.ensure(token)))).toEqual([id, id, id]);
  // Requests that come together do not wait for one failure each.
  expect([writes, await tokenAt()]).toEqual([1, 1]);
  // What changes the profile is not only a note.
  await expect(server.ensure({ sub, name: 'Another', issuedAt: 3 })).rejects.toThrow(OutageError);
  current = app.dynamo;
  seconds = 59;
  await server.ensure({ sub, name: 'The same', issuedAt: 4 });
  expect(await tokenAt()).toBe(1);
  seconds = 60;
  await server.ensure({ sub, name: 'The same', issuedAt: 5 });
  expect(await tokenAt()).toBe(5);
});

test('ensure: requests that come together with a newer token write one note', async () => {
  let writes = 0;
  const dynamo: Dynamo = {
    ...app.dynamo,
    tryTransact: (some, options) => {
      writes++;
      return app.dynamo.tryTransact(some, options);
    },
  };
  const server = createUsers({ dynamo, timestamps: createTimestamps() });
  const sub = newId();
  const id = await server.ensure({ sub, name: 'The same', issuedAt: 1 });
  writes = 0;
  const tokens = [2, 2, 2, 3, 3].map((issuedAt) => ({ sub, name: 'The same', issuedAt }));
  await Promise.all(tokens.map((token) => server.ensure(token)));
  expect(writes).toBe(1);
  await server.ensure({ sub, name: 'The same', issuedAt: 4 });
  expect(writes).toBe(1);
  expect((await app.dynamo.get(keys.user(id)))?.displayName).toBe('The same');
});

test.each([
  ['is new', 9],
  // So tokens confirm what the profile has.
  ['comes back', 2],
])(
  'ensure: ends with what the newest token said, except for what the user changed; what it says %s',
  async (_what, different) => {
    // What the provider says from each second on.
    const at = (second: number) => {
      const n = second % different;
      return { name: `Name ${n}`, picture: `https://example.org/${n}` };
    };
    // No server notes a second token within half an hour.
    let hours = 0;
    const later = () => ++hours * 3_600_000;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.boolean(),
        async (steps, atOnce) => {
          const servers = [anotherServer(later), anotherServer(later)] as const;
          const sub = newId();
          const id = await servers[0].ensure({ sub, ...at(1), issuedAt: 1 });
          let newest = 1;
          const expected: Record<string, string> = { displayName: at(1).name, avatarUrl: at(1).picture };
          const own = new Set<string>();
          const run = async (one: (typeof steps)[number]) => {
            if ('own' in one) await servers[0].update(id, { [one.own]: 'https://example.org/own' });
            else
              await servers[one.server === 0 ? 0 : 1].ensure({
                sub,
                ...at(one.issuedAt),
                issuedAt: one.issuedAt,
              });
          };
          const tokens = steps.filter((one) => 'server' in one);
          // At once only tokens, because the order of a change and a token would be unknown.
          for (const one of steps) {
            if ('own' in one) own.add(one.own);
            else newest = Math.max(newest, one.issuedAt);
            if (!atOnce) await run(one);
            else if ('own' in one) await run(one);
            if ('own' in one) expected[one.own] = 'https://example.org/own';
          }
          if (atOnce) {
            own.clear();
            await Promise.all(tokens.map(run));
          }
          const final = at(newest);
          const changed = new Set(steps.flatMap((one) => ('own' in one ? [one.own] : [])));
          if (!changed.has('displayName')) expected.displayName = final.name;
          if (!changed.has('avatarUrl')) expected.avatarUrl = final.picture;
          expect(await app.dynamo.get(keys.user(id))).toMatchObject(expected);
        },
      ),
      { numRuns: scaled(40) },
    );
  },
);
