/** A server process is killed while it decides, while it sends, and while thirty people write. */
import { expect, onTestFinished, test } from 'vitest';
import { newVapidKey } from '../../src/core/vapidKeys.ts';
import { SEND_KIND } from '../../src/delivery/channels/send.ts';
import { GATHERING_TIMER } from '../../src/delivery/gathering.ts';
import type { Dynamo } from '../../src/dynamo/dynamo.ts';
import { ranges } from '../../src/dynamo/keys.ts';
import { graphql } from '../generated/gql.ts';
import { MarkThreadRead } from '../notifications/support/operations.ts';
import { clientAt, deployed, run } from '../process/support/run.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { SendMessage } from '../support/clients/operations.ts';
import { messageKey, rawId, roomOf } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { itemsIn } from '../support/database/table.ts';
import { eventually } from '../support/time/eventually.ts';
import { openTimers } from '../timers/support/timers.ts';
import { RegisterPush } from './support/pushOperations.ts';
import { startPushService } from './support/pushService.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const Decided = graphql(`
  query DecidedDeliveries {
    viewer { id deliveries(first: 50) { edges { node { id kinds outcome decidedAt } } } }
  }
`);
const WaitForReplies = graphql(`
  mutation WaitForReplies($seconds: Int!) {
    updateDeliverySettings(input: { kinds: [{ kind: REPLY, delaySeconds: $seconds }] }) { settings { hideText } }
  }
`);

/** What is still to be decided or sent. */
const sendsLeft = async (dynamo: Dynamo) =>
  (await openTimers(dynamo)).filter(({ kind }) => [GATHERING_TIMER, SEND_KIND].includes(kind));

/** A database behind a proxy, a push service and a webhook, and servers that are started one after the other. */
async function open(windows: string) {
  const [database, service, receiver] = await Promise.all([
    openTestDynamo({ file: true }),
    startPushService(),
    startReceiver(),
  ]);
  const proxy = await startFaultProxy(database.endpoint);
  onTestFinished(async () => {
    await Promise.all([service.stop(), receiver.stop(), proxy.stop()]);
    await database.stop();
  });
  const env = deployed({
    DYNAMODB_ENDPOINT: proxy.endpoint,
    TABLE_NAME: database.table,
    DELIVERY_WINDOWS: windows,
    VAPID_PRIVATE_KEY: newVapidKey().toString('base64url'),
    VAPID_SUBJECT: 'mailto:a@example.com',
    PUSH_ORIGINS: service.origin,
    WEBHOOK_PRIVATE_HOSTS: '127.0.0.1',
    WEBHOOKS: JSON.stringify([{ url: receiver.url, secret: receiver.secret }]),
  });
  const start = async () => {
    const server = await run({ env });
    return { server, ...(await server.ready()) };
  };
  return { database, service, receiver, proxy, start };
}

/** Aki is away. Ben mentions them: one push and one request follow. */
async function mentioned() {
  const system = await open('MENTION=0s/0s');
  const { server, url } = await system.start();
  const [aki, ben] = await Promise.all([clientAt(url, 'aki'), clientAt(url, 'ben')]);
  await aki.do(RegisterPush, { input: system.service.subscribe() });
  const roomId = await roomOf(aki, [ben]);
  const killed = async () => expect(await server.ended).toMatchObject({ signal: 'SIGKILL' });
  return {
    ...system,
    server,
    killed,
    mention: () => ben.do(SendMessage, { input: { roomId, body: 'Hello @aki' } }),
    /** The outcomes, when nothing is left to be done. */
    async outcomes(at: string) {
      const client = await clientAt(at, 'aki');
      return eventually(async () => {
        expect(await sendsLeft(system.database.dynamo)).toEqual([]);
        return (await client.do(Decided)).viewer.deliveries.edges.map(({ node }) => node.outcome);
      }, 50);
    },
  };
}

/** The transaction that decides. */
const isDecision = (request: unknown): boolean => JSON.stringify(request).includes('DELIVERY#');

test('killed before its decision is stored, the server decides after its start', async () => {
  const { proxy, server, killed, mention, start, service, receiver, outcomes } = await mentioned();
  let isHeld = false;
  const held = new Promise<void>((resolve) => {
    proxy.onRequest('TransactWriteItems', (request) => {
      if (isHeld || !isDecision(request)) return;
      isHeld = true;
      resolve();
      return new Promise(() => {});
    });
  });
  await mention();
  await held;
  server.signal('SIGKILL');
  await killed();
  expect([service.pushes.length, receiver.requests.length]).toEqual([0, 0]);
  const { url } = await start();
  await Promise.all([service.arrived(1), receiver.arrived(1)]);
  expect(await outcomes(url)).toEqual(['SENT']);
  expect([service.pushes.length, receiver.requests.length]).toEqual([1, 1]);
});

test('killed when its decision is stored, and before it knows that, the server does not decide again', async () => {
  const { proxy, server, killed, mention, start, service, receiver, outcomes } = await mentioned();
  let isStored = false;
  proxy.rewrite('TransactWriteItems', (_answer, request) => {
    if (isStored || !isDecision(request)) return undefined;
    isStored = true;
    server.signal('SIGKILL');
    return undefined;
  });
  await mention();
  await killed();
  const { url } = await start();
  await Promise.all([service.arrived(1), receiver.arrived(1)]);
  expect(await outcomes(url)).toEqual(['SENT']);
  expect([service.pushes.length, receiver.requests.length]).toEqual([1, 1]);
});

test('killed between sending and recording, the server sends once more, with the same id and tag', async () => {
  const { server, killed, mention, start, service, receiver, outcomes } = await mentioned();
  service.respond(() => 'hang');
  receiver.respond(() => 'hang');
  await mention();
  await Promise.all([service.arrived(1), receiver.arrived(1)]);
  server.signal('SIGKILL');
  await killed();
  service.respond(() => ({ status: 201 }));
  receiver.respond(() => ({ status: 204 }));
  const { url } = await start();
  // The attempt that was claimed is over after 20 seconds.
  await Promise.all([service.arrived(2), receiver.arrived(2)]);
  expect(await outcomes(url)).toEqual(['SENT']);
  const pushed = service.pushes.map(({ payload: { id, tag }, headers: { topic } }) => ({ id, tag, topic }));
  expect(pushed).toHaveLength(2);
  expect(pushed[1]).toEqual(pushed[0]);
  const sent = receiver.requests.map(({ id, deliveries }) => ({ id, of: deliveries.map((one) => one.id) }));
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

const WINDOW_S = 3;
/** In the words of a person who has written as well: 29 others. */
const EVERYONE = /^\S.* and 28 others replied in a thread$/;

const lastTextOf = ({ requests }: Receiver, handle: string): string =>
  requests.flatMap(({ deliveries }) => deliveries.filter(({ user }) => user.handle === handle)).at(-1)
    ?.text ?? '';

test('thirty people write while the server is killed twice: one delivery per window, with the right words', async () => {
  const { start, receiver, database } = await open(`REPLY=2s/${WINDOW_S}s`);
  let { server, url } = await start();
  const handles = Array.from({ length: 30 }, (_, i) => `person${i}`);
  const [author = '', ...others] = handles;
  const readers = handles.slice(-3);
  const clients = new Map<string, ReturnType<typeof clientAt>>();
  const as = (handle: string) => {
    const name = `${handle} ${url}`;
    const client = clients.get(name) ?? clientAt(url, handle);
    clients.set(name, client);
    return client;
  };
  const roomId = await roomOf(await as(author), await Promise.all(others.map(as)));
  for (const reader of readers) await (await as(reader)).do(WaitForReplies, { seconds: 30 });
  const { sendMessage } = await (await as(author)).do(SendMessage, { input: { roomId, body: 'Root' } });
  const replyTo = sendMessage.message.id;
  let acknowledged = 0;
  const reply = (handle: string, round: number) =>
    eventually(async () => {
      const input = { roomId, replyTo, body: `${round}`, idempotencyKey: `${handle} ${round}` };
      const { data } = await (await as(handle)).send(SendMessage, { input });
      if (data?.sendMessage == null) throw new Error('Not acknowledged.');
      acknowledged++;
      return messageKey(data.sendMessage.message.id);
    }, 20);
  const round = (number: number) => Promise.all(handles.map((handle) => reply(handle, number)));

  // From now on all of them follow the thread.
  await round(0);
  for (const number of [1, 2]) {
    const before = acknowledged;
    const talk = round(number);
    await eventually(() => expect(acknowledged).toBeGreaterThan(before + 10), 50);
    server.signal('SIGKILL');
    await server.ended;
    ({ server, url } = await start());
    await talk;
  }
  await round(3);
  // What is derived from it was derived from all others before, and no reply comes after the users have read.
  const { ts: newest } = await reply(author, 4);
  const isDerived = async (handle: string) => {
    const { viewer } = await (await as(handle)).do(Decided);
    const items = await itemsIn(database.dynamo, ranges.notifications(rawId(viewer.id)));
    expect(items.map(({ count }) => count)).toContain(handles.length - 1);
    if (handle !== author) expect(items.map(({ latest }) => latest)).toContain(newest);
  };
  for (const handle of handles) await eventually(() => isDerived(handle), 100);
  for (const reader of readers) await (await as(reader)).do(MarkThreadRead, { messageId: replyTo });
  const readAt = Date.now();
  const writers = handles.filter((handle) => !readers.includes(handle));
  await eventually(async () => {
    for (const handle of writers) expect(lastTextOf(receiver, handle)).toMatch(EVERYONE);
    expect(await sendsLeft(database.dynamo)).toEqual([]);
  }, 100);

  /** The requests in which each delivery was. */
  const requestsOf = new Map<string, string[]>();
  for (const { id: request, deliveries } of receiver.requests) {
    for (const { id, user } of deliveries) {
      const key = `${user.handle} ${id}`;
      requestsOf.set(key, [...(requestsOf.get(key) ?? []), request]);
    }
  }
  for (const requests of requestsOf.values()) expect(new Set(requests).size).toBe(1);
  for (const handle of handles) {
    const { viewer } = await (await as(handle)).do(Decided);
    const nodes = viewer.deliveries.edges.map(({ node }) => node);
    const sent = nodes.filter(({ outcome }) => outcome === 'SENT').map(({ id }) => `${handle} ${id}`);
    expect(new Set(sent)).toEqual(
      new Set([...requestsOf.keys()].filter((one) => one.startsWith(`${handle} `))),
    );
    const times = nodes.flatMap(({ outcome, decidedAt }) =>
      outcome === 'SENT' ? [Date.parse(String(decidedAt))] : [],
    );
    for (const [i, at] of times.entries()) {
      const earlier = times[i + 1];
      if (earlier !== undefined) expect(at - earlier).toBeGreaterThanOrEqual(WINDOW_S * 1_000);
    }
    if (readers.includes(handle)) {
      expect(times.filter((at) => at > readAt)).toEqual([]);
      expect(nodes[0]?.outcome).toMatch(/READ_BEFORE|SENT/);
    } else {
      expect(lastTextOf(receiver, handle)).toMatch(EVERYONE);
    }
  }
});
