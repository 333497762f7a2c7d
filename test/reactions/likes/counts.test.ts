import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TsudoiError } from '../../../src/core/errors.ts';
import { createTimestamps, type Timestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import type { Connection } from '../../../src/dynamo/connect.ts';
import { createDynamo, type Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { type MessageKey, storedMessageKey } from '../../../src/messages/message.ts';
import { createMessages } from '../../../src/messages/messages.ts';
import { likesKind } from '../../../src/reactions/likes/kind.ts';
import { REACTIONS } from '../../../src/reactions/registry.ts';
import { countOf } from '../../../src/reactions/toggles/reaction.ts';
import { createToggles, type ReactedMessage } from '../../../src/reactions/toggles/toggles.ts';
import { createViewerReactions } from '../../../src/reactions/viewerReactions.ts';
import {
  counterItem,
  firstMembershipVersion,
  memberItem,
  membershipItem,
  roomItem,
} from '../../../src/rooms/room.ts';
import { beforeTransactions } from '../../support/database/beforeTransactions.ts';
import { createConflicts } from '../../support/database/conflicts.ts';
import {
  connectTo,
  onDynamoDbLocal,
  openTestDynamo,
  type TestDynamo,
  testTimeouts,
} from '../../support/database/dynamo.ts';
import { budget } from '../../support/run/budget.ts';
import { seed } from '../../support/run/seed.ts';
import { inTable } from './support/likes.ts';

const ROOM = 'room';
const AUTHOR = 'aki';
const JOINED: Timestamp = '1700000000000000';
const CROWD = Array.from({ length: onDynamoDbLocal ? 60 : 200 }, (_, i) => `liker${i}`);
let database: TestDynamo;
let connections: Connection[];
let servers: Dynamo[];
const conflicts = createConflicts();

beforeAll(async () => {
  database = await openTestDynamo({ file: true });
  // Each server has its own transport, so their transactions conflict in the table, as on AWS.
  connections = [1, 2, 3].map(() => connectTo(database.endpoint));
  servers = connections.map(({ transport }) =>
    createDynamo({ transport: conflicts.on(transport), table: database.table, timeouts: testTimeouts }),
  );
  const room = {
    id: ROOM,
    name: 'Room',
    topic: null,
    visibility: 'PUBLIC',
    createdAt: JOINED,
    version: 1,
  } as const;
  await database.dynamo.transact([{ put: roomItem(room) }, { put: counterItem(ROOM) }]);
  // In batches, because a client gives up requests that wait half a second for a connection.
  const by = onDynamoDbLocal ? 'batches' : 'transactions';
  await bulkWrite({ dynamo: database.dynamo, items: [AUTHOR, ...CROWD].flatMap(joined), by });
});
afterAll(async () => {
  for (const connection of connections) connection.destroy();
  await database?.stop();
});

/** The two items of a membership. */
function joined(user: string) {
  const member = { room: ROOM, user, role: 'MEMBER', joinedAt: JOINED } as const;
  const reading = {
    muted: false,
    readPosition: 0,
    lastReadTs: JOINED,
    pendingReadRoot: null,
    version: firstMembershipVersion(0),
  };
  return [memberItem(member), membershipItem({ ...member, ...reading })];
}

/** The likes and messages of one server, with their own queues. */
const server = (dynamo: Dynamo) => {
  const timestamps = createTimestamps();
  return {
    likes: createToggles({ dynamo, timestamps, kind: likesKind }),
    messages: createMessages({
      dynamo,
      timestamps,
      extensions: REACTIONS,
      viewerItems: createViewerReactions({ dynamo, kinds: REACTIONS }),
    }),
  };
};

const sendMessage = (): Promise<MessageKey> =>
  server(database.dynamo).messages.send({ room: ROOM, author: AUTHOR, body: 'Tea?' });

/** Every answer must be a state that the message had, so all answers with one version have the same count. */
function expectOneCountPerVersion(answers: readonly ReactedMessage[]): void {
  const counts = new Map<number, Set<number>>();
  for (const { message } of answers) {
    if (message.deletedAt !== null) continue;
    counts.set(message.version, (counts.get(message.version) ?? new Set()).add(countOf(likesKind, message)));
  }
  expect([...counts].filter(([, different]) => different.size > 1)).toEqual([]);
}

test(`like: by ${CROWD.length} users at once on two servers, all are stored and the count is exact`, async () => {
  const message = await sendMessage();
  const two = servers.slice(0, 2).map(server);
  const before = conflicts.count;
  const answers = await Promise.all(
    CROWD.map(async (user, i) => {
      const answer = await two[i % 2]?.likes.add(user, message);
      if (answer === undefined) throw new Error('There is no such server.');
      return answer;
    }),
  );
  expect(answers.every(({ reacted: liked }) => liked)).toBe(true);
  expectOneCountPerVersion(answers);
  const { count, users } = await inTable(database.dynamo, message);
  expect([count, users]).toEqual([CROWD.length, [...CROWD].sort()]);
  // Without conflicts the test would prove nothing.
  expect(conflicts.count).toBeGreaterThan(before);
});

test('like: by one user on three servers at once is one like', async () => {
  const message = await sendMessage();
  const all = servers.map(server);
  const [user = ''] = CROWD;
  const answers = await Promise.all(
    Array.from({ length: 15 }, (_, i) => all[i % 3]?.likes.add(user, message)),
  );
  expect(answers.map((answer) => [answer?.reacted, answer && countOf(likesKind, answer.message)])).toEqual(
    Array.from({ length: 15 }, () => [true, 1]),
  );
  expect(await inTable(database.dynamo, message)).toMatchObject({ count: 1, users: [user] });
});

/** The likes of a server that does the next of these things between each of its reads and the following write. */
function likesAfter(...between: Array<() => Promise<unknown>>) {
  return server(beforeTransactions(database.dynamo, () => between.shift()?.())).likes;
}

test('like: is refused if the user is removed or the message deleted between the read and the write', async () => {
  const message = await sendMessage();
  const { messages } = server(database.dynamo);
  const removed = likesAfter(() =>
    database.dynamo.transact([
      { delete: keys.membership('liker2', ROOM) },
      { delete: keys.member(ROOM, 'liker2') },
    ]),
  );
  await expect(removed.add('liker2', message)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const deleted = likesAfter(() => messages.remove(AUTHOR, message));
  await expect(deleted.add('liker3', message)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await inTable(database.dynamo, message)).toMatchObject({ count: 0, users: [] });
  await database.dynamo.transact(joined('liker2').map((put) => ({ put })));
});

test('like and unlike: decide again after a conflict and a second change', async () => {
  const [deleted, liked] = [await sendMessage(), await sendMessage()];
  const { likes, messages } = server(database.dynamo);
  const edit = (message: MessageKey) => () => messages.edit(AUTHOR, message, 'Coffee?');
  const remove = likesAfter(edit(deleted), () => messages.remove(AUTHOR, deleted));
  await expect(remove.add('liker3', deleted)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(await inTable(database.dynamo, deleted)).toMatchObject({ count: 0, users: [] });

  const twice = likesAfter(edit(liked), () => likes.add('liker3', liked));
  expect(countOf(likesKind, (await twice.add('liker3', liked)).message)).toBe(1);
  const back = likesAfter(edit(liked), () => likes.remove('liker3', liked));
  expect(countOf(likesKind, (await back.remove('liker3', liked)).message)).toBe(0);
  expect(await inTable(database.dynamo, liked)).toMatchObject({ count: 0, users: [] });
});

test('like: the answer has the changes that others made at the same time', async () => {
  const message = await sendMessage();
  const other = server(database.dynamo);
  const likes = likesAfter(async () => {
    await other.messages.edit(AUTHOR, message, 'Coffee?');
    await other.likes.add('liker1', message);
  });
  const { message: answer } = await likes.add('liker0', message);
  expect(answer).toMatchObject({ body: 'Coffee?', extras: { likeCount: 2 }, version: 4 });
});

type Click = 'add' | 'remove';

interface Session {
  readonly server: number;
  readonly clicks: readonly Click[];
}

const session = (most: number): fc.Arbitrary<Session> =>
  fc.record({
    server: fc.nat({ max: 2 }),
    clicks: fc.array(fc.constantFrom<Click>('add', 'remove'), { maxLength: most }),
  });

/** Delays the answers of `run`, also its errors, until the scheduler releases them. */
function delayed<A extends unknown[], T>(scheduler: fc.Scheduler, run: (...args: A) => Promise<T>) {
  const outcome = (...args: A) =>
    run(...args).then(
      (value) => () => value,
      (error: unknown) => (): T => {
        throw error;
      },
    );
  const scheduled = scheduler.scheduleFunction(outcome);
  return async (...args: A): Promise<T> => (await scheduled(...args))();
}

/** Returns undefined if the message is deleted. */
const undefinedIfDeleted = (error: unknown): undefined => {
  if (!(error instanceof TsudoiError) || error.code !== 'CONFLICT') throw error;
};

const { numRuns, timeout, within } = budget({ runs: 4, seconds: 2 });

test(`likes: after random likes, unlikes and a deletion the count equals the likes (seed ${seed})`, {
  timeout,
}, async () => {
  const people = CROWD.slice(0, 5);
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(session(5), { minLength: people.length, maxLength: people.length }),
      fc.option(fc.nat({ max: 2 })),
      within(async (scheduler, sessions, deletedOn) => {
        const message = await sendMessage();
        // The database's answers arrive in a random order.
        const running = servers.map((dynamo) =>
          server({
            ...dynamo,
            batchGet: delayed(scheduler, dynamo.batchGet),
            tryTransact: delayed(scheduler, dynamo.tryTransact) as Dynamo['tryTransact'],
          }),
        );
        const answers: ReactedMessage[] = [];
        const clicking = sessions.map(async ({ server: at, clicks }, i) => {
          for (const click of clicks) {
            const answer = await running[at]?.likes[click](people[i] ?? '', message).catch(
              undefinedIfDeleted,
            );
            if (answer === undefined) return;
            answers.push(answer);
            const gone = answer.message.deletedAt !== null;
            expect(answer.reacted).toBe(click === 'add' && !gone);
          }
        });
        const deleting =
          deletedOn === null ? undefined : running[deletedOn]?.messages.remove(AUTHOR, message);
        await scheduler.waitFor(Promise.all([...clicking, deleting]));

        expectOneCountPerVersion(answers);
        const { count, users } = await inTable(database.dynamo, message);
        expect(count).toBe(users.length);
        if (deletedOn === null) {
          const last = people.filter((_, i) => sessions[i]?.clicks.at(-1) === 'add');
          expect(users).toEqual(last.sort());
          return;
        }
        // Two cleanups at once, as after a lost lease.
        await Promise.all(
          servers.slice(0, 2).map((dynamo) => {
            const { kind, id } = likesKind.createCleanup({ dynamo, now: Date.now });
            return createJobs({ dynamo }).runToEnd(kind, id(message), storedMessageKey(message));
          }),
        );
        expect(await inTable(database.dynamo, message)).toEqual({ count: 0, users: [], likes: [] });
      }),
    ),
    { numRuns, endOnFailure: true },
  );
});
