/** What an event shows is read together with what it is about. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import { createPublisher } from '../../src/bus/publisher.ts';
import { defined } from '../../src/core/defined.ts';
import { OutageError } from '../../src/core/errors.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { createItemLoader } from '../../src/dynamo/itemLoader.ts';
import { type Key, keyName, keys } from '../../src/dynamo/keys.ts';
import { createRoomLogReader, type RoomEvent } from '../../src/roomEvents/roomLogReader.ts';
import type { LogEntry } from '../../src/roomEvents/roomUpdate.ts';
import { createProfileCache } from '../../src/users/profileCache.ts';
import { loadUserOrThrow } from '../../src/users/types.ts';
import { silent } from '../stream/support/stream.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
let room: string;
let aki: string;
let ben: string;
beforeAll(async () => {
  app = await startTestApp();
  const { users, rooms } = app.services;
  aki = await users.ensure({ sub: 'aki', name: 'Aki' });
  ben = await users.ensure({ sub: 'ben', name: 'Ben' });
  const made = { name: 'Tea', topic: null, visibility: 'PUBLIC', capacity: null } as const;
  ({ id: room } = await rooms.create(aki, made));
  await rooms.join(ben, room);
});
afterAll(() => app.stop());

const send = (replyTo?: Awaited<ReturnType<typeof app.services.messages.send>>) =>
  app.services.messages.send({
    room,
    author: aki,
    body: 'Tea?',
    ...defined({ replyTo }),
  });

/** A server that keeps no profile yet. */
async function openServer() {
  const bus = createMemoryBus({ log: silent });
  const profiles = createProfileCache({ bus, publisher: createPublisher({ bus, log: silent }) });
  await profiles.start();
  const names = new Map<string, string>();
  const name = (label: string, key: Key) => names.set(keyName(key), label);
  name('aki', keys.user(aki));
  name('ben', keys.user(ben));
  const requests: string[][] = [];
  /** Called before each request. */
  const server = { before: (_keys: readonly string[]) => {} };
  const dynamo: Dynamo = {
    ...app.dynamo,
    async batchGet(wanted) {
      const read = wanted.map((key) => names.get(keyName(key)) ?? keyName(key));
      requests.push(read);
      server.before(read);
      return app.dynamo.batchGet(wanted);
    },
  };
  const log = createRoomLogReader({ dynamo, profiles });
  return Object.assign(server, {
    profiles,
    name,
    requests,
    log,
    /** Reads the events of a live update. */
    read: (entries: readonly LogEntry[]) =>
      log.eventsOf({ room, lastSequence: 9, lastPosition: 1, membershipEpoch: 0, entries }),
    /** Executes an event that shows these items. Resolves to the names of the users. */
    async show(event: RoomEvent | undefined, { users = [], items: others = [] }: Shown) {
      if (event?.source === undefined) throw new Error('There is no such event.');
      const items = createItemLoader(dynamo, profiles);
      items.clear(event.source);
      const [shown] = await Promise.all([
        Promise.all(users.map((user) => loadUserOrThrow(user, items))),
        items.loadMany(others),
      ]);
      return shown.map(({ displayName }) => displayName);
    },
  });
}

interface Shown {
  readonly users?: readonly string[];
  readonly items?: readonly Key[];
}

/** Reads an update and shows its first event. Resolves to the keys of each request. */
async function readAndShow(
  server: Awaited<ReturnType<typeof openServer>>,
  entries: readonly LogEntry[],
  shown: Shown,
) {
  server.requests.length = 0;
  const [event] = await server.read(entries);
  const names = await server.show(event, shown);
  expect(names).toEqual(shown.users?.map((user) => (user === aki ? 'Aki' : 'Ben')));
  return server.requests;
}

test('the author and the user who changed a message are read with it, and not again while they are kept', async () => {
  const { threadTs, ts } = await send();
  const server = await openServer();
  server.name('message', keys.root(room, threadTs));
  const changed: LogEntry = { type: 'message', threadTs, ts, version: 3, author: aki };
  const byBen = { ...changed, actor: ben };
  const both = { users: [aki, ben] };
  expect(await readAndShow(server, [changed], { users: [aki] })).toEqual([['message', 'aki']]);
  expect(await readAndShow(server, [byBen], both)).toEqual([['message', 'ben']]);
  expect(await readAndShow(server, [byBen], both)).toEqual([['message']]);
  await server.profiles.changed(ben);
  expect(await readAndShow(server, [byBen], both)).toEqual([['message', 'ben']]);
});

test('the root of a reply is read with it, once if it has changed as well', async () => {
  const root = await send();
  const reply = await send(root);
  const server = await openServer();
  server.name('root', keys.root(room, root.threadTs));
  server.name('reply', keys.message(room, reply.threadTs, reply.ts));
  const entries: LogEntry[] = [
    { type: 'message', threadTs: reply.threadTs, ts: reply.ts, version: 1, added: true, author: aki },
    { type: 'message', threadTs: root.threadTs, ts: root.ts, version: 3, author: aki },
  ];
  const shown = { users: [aki], items: [keys.root(room, root.threadTs)] };
  expect(await readAndShow(server, entries, shown)).toEqual([['reply', 'root', 'aki']]);
  expect(await readAndShow(server, entries.slice(0, 1), shown)).toEqual([['reply', 'root']]);
});

test('the user of a membership is read with it', async () => {
  const server = await openServer();
  server.name('member', keys.member(room, ben));
  const joined: LogEntry = { type: 'member', user: ben, joined: '0000000000000001' };
  expect(await readAndShow(server, [joined], { users: [ben] })).toEqual([['member', 'ben']]);
});

test('the profiles of an entry of an earlier release, which names no users, are read after the message', async () => {
  const { threadTs, ts } = await send();
  const server = await openServer();
  server.name('message', keys.root(room, threadTs));
  const entry: LogEntry = { type: 'message', threadTs, ts, version: 1, added: true };
  expect(await readAndShow(server, [entry], { users: [aki] })).toEqual([['message'], ['aki']]);
});

test('a profile that changes while it is read, or before its event is sent, is read again', async () => {
  const { threadTs, ts } = await send();
  const server = await openServer();
  server.name('message', keys.root(room, threadTs));
  const entry: LogEntry = { type: 'message', threadTs, ts, version: 1, author: aki };
  let changes = 1;
  server.before = () => {
    if (changes-- > 0) void server.profiles.changed(aki);
  };
  expect(await readAndShow(server, [entry], { users: [aki] })).toEqual([['message', 'aki'], ['aki']]);

  const [event] = await server.read([entry]);
  try {
    await app.services.users.update(aki, { displayName: 'Akiko' });
    await server.profiles.changed(aki);
    expect(await server.show(event, { users: [aki] })).toEqual(['Akiko']);
  } finally {
    await app.services.users.update(aki, { displayName: 'Aki' });
  }
});

test('a profile that cannot be read ends the live events, and not the replay that follows', async () => {
  const { threadTs, ts } = await send();
  const server = await openServer();
  server.name('message', keys.root(room, threadTs));
  server.before = (read) => {
    if (read.includes('ben')) throw new OutageError();
  };
  const changed: LogEntry = { type: 'message', threadTs, ts, version: 1, author: aki, actor: ben };
  const joined: LogEntry = { type: 'member', user: ben };
  await expect(server.read([changed, joined])).rejects.toThrow(OutageError);
  const replayed = await server.log.events(
    room,
    [changed, joined].map((entry, i) => ({ number: i + 1, entry })),
  );
  expect(replayed.map(({ type }) => type)).toEqual(['MessageChanged', 'MembershipChanged']);
  expect(await server.show(replayed[0], { users: [aki] })).toEqual(['Aki']);
});
