/** A room with a given number of messages, and users who perform the access patterns one after the other. */

import { createDerivations } from '../../../src/app/features.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { createPublisher } from '../../../src/bus/publisher.ts';
import { newId } from '../../../src/core/ids.ts';
import type { MailConfig } from '../../../src/core/mailConfig.ts';
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { createDynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, keys } from '../../../src/dynamo/keys.ts';
import type { Cost } from '../../../src/dynamo/metering.ts';
import { FIRST_SHAPE } from '../../../src/dynamo/shapes.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { type Message, messageId, messageItem, newMessage } from '../../../src/messages/message.ts';
import { NAMED_MAX, type Notification, notificationItem } from '../../../src/notifications/notification.ts';
import type { Change } from '../../../src/stream/change.ts';
import { createDispatcher } from '../../../src/stream/dispatcher.ts';
import { likedByMany } from '../../reactions/likes/support/likes.ts';
import { silent } from '../../stream/support/stream.ts';
import { JoinRoom } from '../../support/clients/operations.ts';
import { type Person, people, rawId, roomOf, userOf } from '../../support/clients/people.ts';
import {
  connectTo,
  onDynamoDbLocal,
  openTestDynamo,
  type TestDynamo,
  testTimeouts,
} from '../../support/database/dynamo.ts';
import { countRoundTrips } from '../../support/database/roundTrips.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { followStream } from '../../support/stream/stream.ts';

/** No server listens there, and nothing is sent to it. */
const NO_MAIL_SERVER: MailConfig = {
  smtp: { host: '127.0.0.1', port: 9, secure: false, auth: undefined },
  requireTls: false,
  from: { name: '', address: 'chat@example.com' },
};

export interface CostFixture {
  readonly app: TestApp;
  /** Members of the room. Aki owns it, and Ben has five unread roots. */
  readonly aki: Person;
  readonly ben: Person;
  /** Not a member. */
  readonly chi: Person;
  /** Another member. */
  readonly dan: Person;
  /** The number of roots in the room. */
  readonly size: number;
  readonly roomId: string;
  /** Ids of the newest roots, 100 at most, oldest first. */
  readonly roots: readonly string[];
  /** The oldest of these. It has `size` likes, and Aki has an unread notification of them. */
  readonly liked: string;
  /** Ids of the newest root's replies, 100 at most. */
  readonly replies: readonly string[];
  /** The sum of what the database is asked while `run` runs. */
  measure(run: () => Promise<unknown>): Promise<Total>;
  /** Handles all changes since the last call, and those that the handlers cause. */
  consume(): Promise<void>;
  /** Handles what the last call of `consume` handled once more. */
  consumeAgain(): Promise<void>;
  /** The next changes are handled by a consumer that remembers no room's counter. */
  restartConsumer(): void;
  stop(): Promise<void>;
}

export interface Total {
  readonly roundTrips: number;
  readonly read: number;
  readonly write: number;
}

export const RETENTION = 30 * 24 * 3600;
const UNREAD = 5;
const BODY = 'x'.repeat(100);
/** The time between two roots. It is longer than the clocks of two servers may differ. */
const SPACING_MICROS = 20 * 60 * 1_000_000;

/** The items of the author's unread notification of `count` likes. */
function unreadLikesOf({ room, threadTs, ts, author }: Message, count: number): Array<Key & Item> {
  const subject = { kind: 'LIKE', room, threadTs, ts } as const;
  const [id, at] = [newId(), toTimestamp(Date.now() * 1_000)];
  const people = Array.from({ length: count }, () => ({ user: `${newId()}${newId()}`.slice(0, 26), at }));
  const notification: Notification = {
    user: author,
    id,
    ...subject,
    count,
    actors: people.slice(0, NAMED_MAX),
    epoch: 0,
    version: count,
    updatedAt: at,
    variants: [],
    latest: null,
    readAt: null,
    expiresAt: null,
  };
  return [
    { ...keys.badge(author), v: FIRST_SHAPE, total: count, rev: count, epoch: 0 },
    { ...keys.pointer(author, subject), v: FIRST_SHAPE, id },
    notificationItem(notification),
    ...people.map(({ user }) => ({
      ...keys.notified(author, subject, user),
      v: FIRST_SHAPE,
      last: '',
      in: id,
      at,
    })),
  ];
}

export interface CostFixtureOptions {
  /** Default: a new one. It is stopped with the fixture. */
  readonly database?: TestDynamo;
  /** Dan's handle. */
  readonly dan?: string;
}

/** Opens a room with `size` roots, and `size / 10` replies in the newest root's thread. */
export async function openCostFixture(size: number, options: CostFixtureOptions = {}): Promise<CostFixture> {
  const database = options.database ?? (await openTestDynamo({ file: true }));
  const costs: Cost[] = [];
  const onCost = (cost: Cost) => void costs.push(cost);
  // The test reads the stream itself, so that nothing runs next to what is measured.
  const trips = await countRoundTrips(database.endpoint);
  const behindCounter = { ...database, endpoint: trips.endpoint };
  const app = await startTestApp({
    database: behindCounter,
    role: 'api',
    onCost,
    config: { mail: NO_MAIL_SERVER },
  });
  const [aki, ben, chi] = await people(app, 3);
  const crowd = await people(app, 8);
  const dan = options.dan === undefined ? crowd[0] : await userOf(app, options.dan);
  for (const person of [chi, dan, ...crowd.slice(1)]) await roomOf(person, [], { name: 'Another room' });
  const roomId = await roomOf(aki, [ben, dan, ...crowd.slice(1)]);
  const room = rawId(roomId);
  for (let n = 0; n < 3; n++) await ben.do(JoinRoom, { roomId: await roomOf(chi) });

  const start = Date.now() * 1_000 - size * SPACING_MICROS;
  const rootAt = (i: number) => start + i * SPACING_MICROS;
  const message = (threadTs: number, ts: number, position: number | null): Message => ({
    ...newMessage({
      room,
      threadTs: toTimestamp(threadTs),
      ts: toTimestamp(ts),
      author: aki.id,
      body: BODY,
      mentions: [],
    }),
    version: 2,
    position,
    extras: { stamps: {} },
  });
  const last = rootAt(size - 1);
  const answers = Array.from({ length: Math.ceil(size / 10) }, (_, i) => message(last, last + 1 + i, null));
  const messages = Array.from({ length: size }, (_, i) => ({
    ...message(rootAt(i), rootAt(i), i + 1),
    replyCount: rootAt(i) === last ? answers.length : 0,
  }));
  const items: Array<Key & Item> = [...messages, ...answers].map((one) => ({
    ...messageItem(one),
    ...(one.position === null ? {} : { position: one.position }),
  }));
  const liked = messages.at(-100) ?? messages[0];
  if (liked === undefined) throw new Error('There are no messages.');
  items.push(...unreadLikesOf(liked, size));
  await bulkWrite({ dynamo: database.dynamo, items, by: onDynamoDbLocal ? 'batches' : 'transactions' });
  await likedByMany(database.dynamo, liked, size);
  await app.dynamo.update(keys.counter(room), {
    update: 'SET messageCount = :n, changeCount = :n, newestRoot = :newest, newestRootOf = :n',
    values: { ':n': size, ':newest': toTimestamp(last) },
  });
  for (const [person, position] of [
    [aki, size],
    [ben, size - UNREAD],
  ] as const) {
    await app.dynamo.update(keys.membership(person.id, room), {
      update: 'SET readPosition = :position, readAt = :at',
      values: { ':position': position, ':at': toTimestamp(rootAt(position - 1)) },
    });
  }

  const { transport, destroy } = connectTo(trips.endpoint);
  const dynamo = createDynamo({ transport, table: database.table, timeouts: testTimeouts, onCost });
  const bus = createMemoryBus({ log: silent });
  const publisher = createPublisher({ bus, log: silent });
  const startConsumer = () =>
    createDispatcher({
      handlers: createDerivations({ dynamo, publisher, retention: RETENTION, now: Date.now }).handlers,
      deadLetter: async (change, handler, error) => {
        throw new Error(`${handler} cannot handle ${change.sequence}`, { cause: error });
      },
      log: silent,
    });
  let dispatcher = startConsumer();
  const readChanges = await followStream(database);
  let consumed: Change[] = [];
  const ids = (of: readonly Message[]) => of.slice(-100).map((one) => encodeId('Message', messageId(one)));

  return {
    app,
    aki,
    ben,
    chi,
    dan,
    size,
    roomId,
    roots: ids(messages),
    replies: ids(answers),
    liked: encodeId('Message', messageId(liked)),
    async measure(run) {
      // What the page documents is the cost on a server that knows no profile.
      await app.services.profileCache.resync();
      costs.length = 0;
      const roundTrips = await trips.during(run);
      const read = costs.reduce((sum, cost) => sum + cost.readUnits, 0);
      const write = costs.reduce((sum, cost) => sum + cost.writeUnits, 0);
      return { roundTrips, read, write };
    },
    restartConsumer() {
      dispatcher = startConsumer();
    },
    async consume() {
      consumed = [];
      for (let changes = await readChanges(); changes.length > 0; changes = await readChanges()) {
        consumed.push(...changes);
        await dispatcher.dispatch(changes);
      }
    },
    async consumeAgain() {
      await dispatcher.dispatch(consumed);
    },
    async stop() {
      await publisher.stop();
      await bus.close();
      await app.stop();
      destroy();
      await trips.stop();
      await database.stop();
    },
  };
}
