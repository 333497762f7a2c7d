import { onTestFinished } from 'vitest';
import { newId } from '../../../../src/core/ids.ts';
import { keys } from '../../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../../src/dynamo/shapes.ts';
import { encodeId } from '../../../../src/graphql/ids.ts';
import { startReceiver } from '../../../delivery/support/receiver.ts';
import { SaveMessage } from '../../../saved/support/operations.ts';
import { Schedule } from '../../../scheduled/support/operations.ts';
import { createClient, type TestClient } from '../../../support/clients/client.ts';
import { type Person, people, roomOf, say } from '../../../support/clients/people.ts';
import { tokenFor } from '../../../support/clients/tokens.ts';
import { OTHER_LAYOUT, openTestDynamo, type TestDynamo } from '../../../support/database/dynamo.ts';
import { startTestApp } from '../../../support/servers/app.ts';
import { startRedis } from '../../../support/servers/redis.ts';
import { tableBeside } from '../copy.ts';
import { deliveryEnv } from './delivered.ts';
import { startGateway } from './gateway.ts';
import { TAGS } from './keeping.ts';
import { createOperator } from './operator.ts';
import { type KeptServer, keepServer } from './servers.ts';
import { createTableUse } from './tableUse.ts';
import { type Kept, newTold, type Told } from './told.ts';

/** Users may be reminded and schedule from one minute on. So the server that prepares is late by nearly as much. */
const LATE_MS = 52_000;
const MINUTE_MS = 60_000;
const TIMERS = 6;
const TIMERS_APART_MS = 3_000;

export interface WholeOptions {
  readonly random: () => number;
  readonly onKill: () => void;
  readonly onFault: (what: string) => void;
}

const toldOf = ({ handle, id }: Person): Told => newTold({ handle, id, globalId: encodeId('User', id) });

/** A table of the release before with users, rooms and timers that will soon be due. No process uses it. */
async function prepare(first: TestDynamo) {
  await first.dynamo.put({ ...keys.shape(), v: 1, inForce: FIRST_SHAPE, rev: 1 });
  const now = () => Date.now() - LATE_MS;
  const app = await startTestApp({ database: first, now, shapeMs: 1_000 });
  const [reader, ...others] = await people(app, 5);
  const roomId = await roomOf(reader, others);
  const sideId = await roomOf(reader);
  const users: Told[] = [];
  for (const person of others) {
    const told = toldOf(person);
    users.push(told);
    for (let n = 0; n < TIMERS; n++) {
      const at = now() + MINUTE_MS + 2_000 + n * TIMERS_APART_MS;
      const remindAt = new Date(at).toISOString();
      const sent = await say(person, roomId, `Before ${n}`);
      told.sent.set(sent.id, `Before ${n}`);
      await person.do(SaveMessage, { input: { messageId: sent.id, remindAt } });
      told.saved.set(sent.id, { tags: [], visibility: 'PRIVATE' });
      told.reminders.set(sent.id, at);
      const body = `later ${newId()}`;
      await person.do(Schedule, { input: { roomId, body, sendAt: remindAt, idempotencyKey: newId() } });
      told.scheduled.set(body, true);
    }
  }
  for (const [i, person] of others.entries()) {
    // Many enough for jobs of several steps.
    const kept: Kept = { tags: [TAGS[0]], visibility: 'PRIVATE' };
    for (const messageId of users.flatMap(({ sent }) => [...sent.keys()])) {
      await person.do(SaveMessage, { input: { messageId, ...kept, tags: [...kept.tags] } });
      users[i]?.saved.set(messageId, kept);
    }
  }
  await app.quiet();
  await app.stop();
  return { users, reader: toldOf(reader), roomId, sideId };
}

/** Two servers on two tables and one Redis, an operator, and the users of one room. All of it ends with the test. */
export async function startWhole({ random, onKill, onFault }: WholeOptions) {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  const second = await tableBeside(first, `${first.table}-2`, OTHER_LAYOUT);
  const prepared = await prepare(first);
  const use = createTableUse(first.table);
  const env = { REDIS_URL: redis.url, ...deliveryEnv(receiver) };
  const common = { tables: [first.dynamo, second.dynamo], env, onKill, onFault };
  const gatewayOf = async (isServer: boolean) => {
    const gateway = await startGateway({ target: first.endpoint, use, isServer });
    onTestFinished(() => gateway.stop());
    return gateway;
  };
  const operatorOf = async () => createOperator({ ...common, random, gateway: await gatewayOf(false) });

  const servers = await Promise.all(
    [1, 2].map(async () => {
      const server = await keepServer({ ...common, use, gateway: await gatewayOf(true) });
      onTestFinished(() => server.stop());
      return server;
    }),
  );
  const clients = new Map<string, Promise<TestClient>>();
  onTestFinished(async () => {
    for (const client of clients.values()) await (await client).close();
  });

  async function clientAt(server: KeptServer, { handle }: Told): Promise<TestClient> {
    const url = await server.url();
    const name = `${handle} ${url}`;
    const client = clients.get(name) ?? tokenFor(handle).then((token) => createClient(url, token));
    clients.set(name, client);
    return client;
  }

  return {
    ...prepared,
    receiver,
    first,
    second,
    use,
    servers,
    clientAt,
    carrier: await operatorOf(),
    comparer: await operatorOf(),
    operator: await operatorOf(),
    /** A client of one of the servers. */
    clientOf: (user: Told) => clientAt(servers[random() < 0.5 ? 0 : 1] as KeptServer, user),
  };
}

export type Whole = Awaited<ReturnType<typeof startWhole>>;
