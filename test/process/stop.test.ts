/** Told to stop: what is in flight is answered, clients are sent away to come back, nothing is left behind. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../server/support/socket.ts';
import { startFaultProxy } from '../stream/support/faultProxy.ts';
import { temporaryDirectory } from '../support/directory.ts';
import { openTestDynamo } from '../support/dynamo.ts';
import { eventually } from '../support/eventually.ts';
import { CreateRoom, Memberships, SendMessage, Timeline, UnreadNow } from '../support/operations.ts';
import { tokenFor } from '../support/tokens.ts';
import { startConversation } from './conversation.ts';
import { clientAt, deployed, nobodyWith, printedTokens, run } from './support.ts';

/** A server on a database that can be made to misbehave. */
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

test('mutations in flight are answered, over HTTP and websocket, and websockets are closed with 1012', async () => {
  const { server, proxy, url } = await startBehindProxy();
  const aki = await clientAt(url, 'aki');
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'Room', visibility: 'PUBLIC' } });
  const roomId = createRoom.room.id;
  const [idle, busy] = await Promise.all([openSocket(url, 'aki'), openSocket(url, 'aki')]);
  idle.subscribe('badge', 'subscription { unread { total } }');
  expect(await idle.next()).toMatchObject({ type: 'next' });

  // DynamoDB takes its time with both.
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

test('a SIGTERM to the whole process group ends it as cleanly, the embedded database last', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const start = () => run({ env: deployed({ DATA_DIR: dataDir }) });
  const server = await start();
  const { url } = await server.ready();
  const conversation = await startConversation(url);
  const badge = await openSocket(url, 'dana');
  badge.subscribe('badge', 'subscription { unread { total } }');

  const talk = conversation.talk();
  await conversation.more(20);
  server.signalGroup('SIGTERM');
  expect((await badge.closed).code).toBe(1012);
  const { code, ms } = await server.ended;
  process.stdout.write(`stopped in the middle of everything in ${ms.toFixed(0)} ms\n`);
  expect(code).toBe(0);
  await nobodyWith(dataDir);

  const next = await start();
  conversation.moveTo((await next.ready()).url);
  await talk.stop();
  await conversation.audit();
});

test('one Ctrl-C that arrives twice is one; a later one ends it at once, whatever hangs', async () => {
  const { server, proxy, url } = await startBehindProxy();
  await (await clientAt(url, 'aki')).do(UnreadNow);
  proxy.mode = 'silent';
  server.signalGroup('SIGINT');
  server.signalGroup('SIGINT');
  let over = false;
  void server.ended.then(() => {
    over = true;
  });
  // Somebody who presses it again and again.
  await eventually(() => {
    if (!over) server.signalGroup('SIGINT');
    expect(over).toBe(true);
  }, 50);
  expect(await server.ended).toMatchObject({ code: 1 });

  const another = await startBehindProxy();
  another.server.signalGroup('SIGINT');
  another.server.signalGroup('SIGINT');
  expect(await another.server.ended).toMatchObject({ code: 0 });
});

test('while it starts: it ends, leaves no process behind, and the next start finds all in order', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const start = () => run({ env: { DATA_DIR: dataDir } });

  const first = await start();
  await eventually(() => expect(existsSync(join(dataDir, 'dynamodb.pid'))).toBe(true), 1);
  first.signal('SIGTERM');
  expect(await first.ended).toMatchObject({ code: 0 });
  await nobodyWith(dataDir);

  const second = await start();
  await second.says('Took a shard');
  second.signal('SIGTERM');
  expect(await second.ended).toMatchObject({ code: 0 });
  await nobodyWith(dataDir);

  // Before it listens to signals at all.
  const third = await start();
  third.signal('SIGTERM');
  await third.ended;
  await nobodyWith(dataDir);

  const last = await start();
  const { url } = await last.ready();
  const [[handle, token] = ['', '']] = printedTokens(last);
  const aki = await clientAt(url, handle, token);
  // The first start has made the table, so it has seeded the demo, too, though it was told to stop.
  const { edges } = (await aki.do(Memberships, { first: 50 })).viewer.memberships;
  expect(edges.length).toBeGreaterThan(0);
  for (const { node } of edges) {
    const timeline = await aki.do(Timeline, { roomId: node.room.id, first: 50 });
    expect(timeline.room?.messages.edges.length).toBeGreaterThan(0);
  }
  // And what is derived of it, in its own time.
  await eventually(async () =>
    expect((await aki.do(UnreadNow)).viewer.unread.rooms.length).toBeGreaterThan(0),
  );
});
