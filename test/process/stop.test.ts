/** After a signal the server answers open requests, closes its websockets, and leaves no process behind. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../server/support/socket.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { CreateRoom, Memberships, SendMessage, Timeline, UnreadNow } from '../support/clients/operations.ts';
import { tokenFor } from '../support/clients/tokens.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { eventually } from '../support/time/eventually.ts';
import { startConversation } from './support/conversation.ts';
import { clientAt, deployed, noProcessWith, printedTokens, run } from './support/run.ts';

/** A server whose database is behind a proxy that can fail. */
async function startBehindProxy() {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const proxy = await startFaultProxy(database.endpoint);
  onTestFinished(() => proxy.stop());
  const server = await run({
    env: deployed({ DYNAMODB_ENDPOINT: proxy.endpoint, TABLE_NAME: database.table }),
  });
  return { server, proxy, ...(await server.ready()) };
}

async function openSocket(url: string, handle: string) {
  const socket = await connect(`${url.replace('http', 'ws')}/graphql`);
  socket.send({ type: 'connection_init', payload: { authorization: `Bearer ${await tokenFor(handle)}` } });
  expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
  return socket;
}

test('SIGTERM: open mutations are answered over HTTP and websockets, and websockets are closed with 1012', async () => {
  const { server, proxy, url } = await startBehindProxy();
  const aki = await clientAt(url, 'aki');
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'Room', visibility: 'PUBLIC' } });
  const roomId = createRoom.room.id;
  const [idle, busy] = await Promise.all([openSocket(url, 'aki'), openSocket(url, 'aki')]);
  idle.subscribe('badge', 'subscription { unread { total } }');
  expect(await idle.next()).toMatchObject({ type: 'next' });

  // The proxy delays both writes.
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const bodies: string[] = [];
  const arrived = new Promise<void>((resolve) => {
    proxy.onRequest('TransactWriteItems', (request) => {
      const text = JSON.stringify(request);
      if (!text.includes('over HTTP') && !text.includes('over websocket')) return;
      bodies.push(text);
      if (bodies.length === 2) resolve();
      return answered;
    });
  });
  const overHttp = aki.do(SendMessage, { input: { roomId, body: 'over HTTP' } });
  busy.subscribe('send', SendMessage.toString(), { input: { roomId, body: 'over websocket' } });
  await arrived;
  server.signal('SIGTERM');
  await server.says('Stopping.');
  answer();

  expect((await overHttp).sendMessage.message.body).toBe('over HTTP');
  expect(await busy.next()).toMatchObject({
    id: 'send',
    payload: { data: { sendMessage: { message: { body: 'over websocket' } } } },
  });
  expect((await Promise.all([idle.closed, busy.closed])).map(({ code }) => code)).toEqual([1012, 1012]);
  expect(await server.ended).toMatchObject({ code: 0 });
});

test('SIGTERM: to the whole process group, the server stops cleanly and its embedded database last', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const start = () => run({ env: deployed({ DATA_DIR: dataDir }) });
  const server = await start();
  const { url } = await server.ready();
  const conversation = await startConversation(url);
  const badge = await openSocket(url, 'dana');
  badge.subscribe('badge', 'subscription { unread { total } }');

  const talk = conversation.startSending();
  await conversation.untilAcknowledged(20);
  server.signalGroup('SIGTERM');
  expect((await badge.closed).code).toBe(1012);
  const { code, ms } = await server.ended;
  process.stdout.write(`stopped under load in ${ms.toFixed(0)} ms\n`);
  expect(code).toBe(0);
  await noProcessWith(dataDir);

  const next = await start();
  conversation.useServer((await next.ready()).url);
  await talk.stop();
  await conversation.verify();
});

test('SIGINT: twice at once counts as one; a later one ends the process even if something hangs', async () => {
  const { server, proxy, url } = await startBehindProxy();
  await (await clientAt(url, 'aki')).do(UnreadNow);
  proxy.mode = 'silent';
  server.signalGroup('SIGINT');
  server.signalGroup('SIGINT');
  let ended = false;
  void server.ended.then(() => {
    ended = true;
  });
  // A user who presses Ctrl-C again and again.
  await eventually(() => {
    if (!ended) server.signalGroup('SIGINT');
    expect(ended).toBe(true);
  }, 50);
  expect(await server.ended).toMatchObject({ code: 1 });

  const another = await startBehindProxy();
  another.server.signalGroup('SIGINT');
  another.server.signalGroup('SIGINT');
  expect(await another.server.ended).toMatchObject({ code: 0 });
});

test('SIGTERM: during the start, the process ends, leaves no other behind, and the next start works', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const start = () => run({ env: { DATA_DIR: dataDir, LOG_LEVEL: 'debug' } });

  const first = await start();
  await eventually(() => expect(existsSync(join(dataDir, 'dynamodb.pid'))).toBe(true), 1);
  first.signal('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
  await noProcessWith(dataDir);

  const second = await start();
  await second.says('Took a shard');
  second.signal('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0 });
  await noProcessWith(dataDir);

  // Before it has a handler for signals.
  const third = await start();
  third.signal('SIGTERM');
  await third.ended;
  await noProcessWith(dataDir);

  const last = await start();
  const { url } = await last.ready();
  const [[handle, token] = ['', '']] = printedTokens(last);
  const aki = await clientAt(url, handle, token);
  // The first start created the table, so it also created the demo data, although it was stopped.
  const { edges } = (await aki.do(Memberships, { first: 50 })).viewer.memberships;
  expect(edges.length).toBeGreaterThan(0);
  for (const { node } of edges) {
    const timeline = await aki.do(Timeline, { roomId: node.room.id, first: 50 });
    expect(timeline.room?.messages.edges.length).toBeGreaterThan(0);
  }
  // The consumer derives the rest later.
  await eventually(async () =>
    expect((await aki.do(UnreadNow)).viewer.unread.rooms.length).toBeGreaterThan(0),
  );
});
