import { expect } from 'vitest';
import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import { keys, ranges } from '../../../../src/dynamo/keys.ts';
import { entryFrom, type StoredLogEntry } from '../../../../src/roomEvents/roomUpdate.ts';
import { type LiveBadge, watchBadge } from '../../../support/clients/badges.ts';
import { connectTo, type Person, people, rawId, roomOf } from '../../../support/clients/people.ts';
import { openTestDynamo } from '../../../support/database/dynamo.ts';
import { itemsIn, positioned } from '../../../support/database/table.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../../support/servers/app.ts';
import type { StreamGate } from '../../../support/stream/streamGate.ts';
import { eventually } from '../../../support/time/eventually.ts';
import { initialMembers, type Place } from './model.ts';
import type { View } from './view.ts';

/** The product under test: a server that can be restarted on its table, users, and the views that they have open. */
export interface Real {
  readonly gate: StreamGate;
  readonly handles: readonly string[];
  readonly rooms: readonly string[];
  readonly dynamo: Dynamo;
  person(i: number): Person;
  /** By person and room (`nameOf`). */
  readonly views: Map<string, { readonly person: number; readonly room: number; readonly view: View }>;
  /** The command calls it after each change of a membership or role. The room's log must have an entry for each. */
  membershipChanged(place: Place): void;
  /** The number of these changes, by the ids of room and user in the table. */
  readonly changes: Changes;
  /** The first user's badge. It is always open. */
  readonly badge: LiveBadge;
  /** Like another server process: new sockets, a new consumer, and nothing in memory. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

type Changes = ReadonlyMap<string, number>;

export interface Server {
  readonly app: TestApp;
  restart(): Promise<TestApp>;
  stop(): Promise<void>;
}

/** A server whose table outlives it. */
export async function startServer(options: Pick<TestAppOptions, 'wrapDispatcher'>): Promise<Server> {
  const database = await openTestDynamo({ file: true });
  let app = await startTestApp({ ...options, database });
  return {
    get app() {
      return app;
    },
    async restart() {
      await app.stop();
      app = await startTestApp({ ...options, database });
      return app;
    },
    async stop() {
      await app.stop();
      await database.stop();
    },
  };
}

export async function startReal(server: Server, gate: StreamGate, roomCount: number): Promise<Real> {
  let users: Person[] = await people(server.app, 4);
  const [first] = users;
  if (first === undefined) throw new Error('There are no users.');
  const rooms: string[] = [];
  const changes = new Map<string, number>();
  for (let i = 0; i < roomCount; i++) {
    const members = users.slice(0, initialMembers(i));
    const id = await roomOf(first, members.slice(1));
    rooms.push(id);
    for (const member of members) changes.set(changeName(rawId(id), member.id), 1);
  }
  let badge = watchBadge(first);
  await badge.next();
  const views: Real['views'] = new Map();

  return {
    gate,
    handles: users.map(({ handle }) => handle),
    rooms,
    views,
    changes,
    membershipChanged({ person, room }) {
      const name = changeName(rawId(rooms[room] ?? ''), users[person]?.id ?? '');
      changes.set(name, (changes.get(name) ?? 0) + 1);
    },
    get dynamo() {
      return server.app.dynamo;
    },
    get badge() {
      return badge;
    },
    person(i) {
      const person = users[i];
      if (person === undefined) throw new Error(`There is no ${i}.`);
      return person;
    },
    async restart() {
      for (const { view } of views.values()) view.disconnect();
      await server.restart();
      users = await Promise.all(users.map((user) => connectTo(server.app, user)));
      badge = watchBadge(users[0] as Person);
      await badge.next();
    },
    async close() {
      badge.close();
      for (const { view } of views.values()) view.disconnect();
      await Promise.all(users.map((person) => person.close()));
    },
  };
}

const changeName = (room: string, user: string): string => `${room} ${user}`;

type Settling = Pick<Real, 'dynamo' | 'rooms'> & { readonly changes?: Changes };

/** Resolves when every change of the rooms is in their logs. */
export async function settled({ dynamo, rooms, changes = new Map() }: Settling): Promise<void> {
  for (const id of rooms) {
    await positioned(dynamo, rawId(id));
    await eventually(async () => expect(await notLogged(dynamo, rawId(id), changes)).toEqual([]));
  }
}

/** Current messages, members and the name that the room's log has no entry for. */
async function notLogged(dynamo: Dynamo, room: string, changes: Changes): Promise<string[]> {
  const [record, roots, replies, members, log] = await Promise.all([
    dynamo.get(keys.room(room)),
    itemsIn(dynamo, ranges.roots(room)),
    itemsIn(dynamo, { ...ranges.roots(room), from: 'REPLY#', to: 'REPLY#~' }),
    itemsIn(dynamo, ranges.members(room)),
    itemsIn(dynamo, ranges.log(room, 1, 1_000_000)),
  ]);
  const versions = new Map<string, Set<number>>();
  const loggedMembers = new Set<string>();
  const memberEntries = new Map<string, number>();
  let roomVersion = 1;
  for (const entry of log.flatMap(({ entries }) => (entries as StoredLogEntry[]).map(entryFrom))) {
    if (entry.type === 'message') {
      const sk = `${entry.threadTs === entry.ts ? 'ROOT' : 'REPLY'}#${entry.threadTs}#${entry.ts}`;
      versions.set(sk, (versions.get(sk) ?? new Set()).add(entry.version));
    } else if (entry.type === 'member') {
      if (entry.left === true) loggedMembers.delete(`MEMBER#${entry.user}`);
      else loggedMembers.add(`MEMBER#${entry.user}`);
      const name = changeName(room, entry.user);
      memberEntries.set(name, (memberEntries.get(name) ?? 0) + 1);
    } else {
      roomVersion = Math.max(roomVersion, entry.version);
    }
  }
  const currentMembers = new Set(members.map(({ sk }) => sk as string));
  return [
    // Each change has an entry with its `rev`, except the one that gave a root its position.
    ...[...roots, ...replies].flatMap(({ sk, rev, position }) =>
      (versions.get(sk as string)?.size ?? 0) < Number(rev) - (position === undefined ? 0 : 1)
        ? [sk as string]
        : [],
    ),
    ...[...changes].flatMap(([name, count]) =>
      name.startsWith(changeName(room, '')) && (memberEntries.get(name) ?? 0) < count ? [name] : [],
    ),
    ...(roomVersion < Number(record?.rev) ? ['ROOM'] : []),
    ...[...currentMembers].filter((sk) => !loggedMembers.has(sk)),
    ...[...loggedMembers].filter((sk) => !currentMembers.has(sk)),
  ];
}
