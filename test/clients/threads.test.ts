/** Replies in the recipes of docs/clients.md: in the list of their thread, once, and never among the room's roots. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys, ranges } from '../../src/dynamo/keys.ts';
import { numberedIn } from '../../src/roomEvents/roomLogReader.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { rawId, say } from '../support/clients/people.ts';
import { itemsIn } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import type { Held } from './support/gate.ts';
import {
  bodiesOf,
  type Client,
  type OpenClient,
  openApollo,
  openRelay,
  openUrql,
} from './support/openClients.ts';
import { type Started, start } from './support/start.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

/** Replies arrive before the thread was opened, while it is open, through a cut, and from the client itself. */
async function talkInThread({ aki, ben, roomId, gate }: Started, client: Client) {
  const root = await say(ben, roomId, 'root');
  const repliesShown = () => client.room().find(({ id }) => id === root.id)?.replyCount;
  await eventually(() => expect(repliesShown()).toBe(0));
  const first = await say(ben, roomId, 'reply 1', root.id);
  await eventually(() => expect(repliesShown()).toBe(1));
  await client.openThread(root.id);
  await eventually(() => expect(bodiesOf(client.thread())).toEqual(['reply 1']));

  const second = await say(ben, roomId, 'reply 2', root.id);
  await eventually(() => expect(bodiesOf(client.thread())).toEqual(['reply 1', 'reply 2']));
  gate.cut();
  await say(ben, roomId, 'reply 3', root.id);
  await ben.do(EditMessage, { messageId: first.id, body: 'edited' });
  await ben.do(DeleteMessage, { messageId: second.id });
  await eventually(() => expect(bodiesOf(client.thread())).toEqual(['edited', null, 'reply 3']));

  const key = newId();
  const sent = client.reply(root.id, 'mine', key);
  await eventually(() => expect(bodiesOf(client.thread())).toEqual(['edited', null, 'reply 3', 'mine']));
  await sent;
  // Again, as after a lost answer.
  await client.reply(root.id, 'mine', key);
  await say(aki, roomId, 'last', root.id);
  await eventually(() =>
    expect(bodiesOf(client.thread())).toEqual(['edited', null, 'reply 3', 'mine', 'last']),
  );
  await eventually(() => expect(repliesShown()).toBe(5));
  await say(ben, roomId, 'next root');
  await eventually(() => expect(bodiesOf(client.room())).toContain('next root'));
  expect(bodiesOf(client.room())).toEqual(['old 4', 'old 5', 'root', 'next root']);
}

const CLIENTS: ReadonlyArray<[string, OpenClient]> = [
  ['Apollo', openApollo],
  ['urql', openUrql],
  ['Relay', openRelay],
];

const ENDS: ReadonlyArray<[string, (answer: Held) => void]> = [
  ['comes later', ({ release }) => release()],
  ['is lost', ({ lose }) => lose()],
];

for (const [name, open] of CLIENTS) {
  test.concurrent(`${name}: replies are in their thread, and not among the roots`, async (context) => {
    const started = await start(app, context);
    await talkInThread(started, await open(started, context));
  });

  test.concurrent(`${name}: a reply that arrives while its thread is being read is shown`, async (context) => {
    const started = await start(app, context);
    const { ben, roomId, gate } = started;
    const client = await open(started, context);
    const root = await say(ben, roomId, 'root');
    await eventually(() => expect(bodiesOf(client.room())).toContain('root'));
    const { held, release } = gate.hold();
    await client.openThread(root.id);
    // The server has read the thread, and its answer is on the way.
    await held;
    const reply = await say(ben, roomId, 'meanwhile', root.id);
    await passed(started, reply.id);
    release();
    await eventually(() => expect(bodiesOf(client.thread())).toEqual(['meanwhile']));
    await say(ben, roomId, 'after it', root.id);
    await eventually(() => expect(bodiesOf(client.thread())).toEqual(['meanwhile', 'after it']));
  });

  for (const [how, end] of ENDS) {
    test.concurrent(`${name}: a message whose event comes, and whose answer ${how}, is shown once`, async (context) => {
      const started = await start(app, context);
      const { ben, roomId, gate } = started;
      const client = await open(started, context);
      const root = await say(ben, roomId, 'root');
      await client.openThread(root.id);
      await say(ben, roomId, 'first', root.id);
      await eventually(() => expect(bodiesOf(client.thread())).toEqual(['first']));
      const answer = gate.hold();
      const key = newId();
      const sent = client.reply(root.id, 'mine', key).catch(() => {});
      await answer.held;
      await passed(started, key);
      expect(bodiesOf(client.thread())).toEqual(['first', 'mine']);
      end(answer);
      await sent;
      await say(ben, roomId, 'after it', root.id);
      await eventually(() => expect(bodiesOf(client.thread())).toEqual(['first', 'mine', 'after it']));
      const ids = client
        .history()
        .map((list) => list.filter(({ body }) => body === 'mine').map(({ id }) => id));
      expect(ids.map(({ length }) => length)).not.toContain(2);
      expect(ids.flat()).toContain(`pending:${key}`);
    });
  }

  test.concurrent(`${name}: after too much was missed, the room and the thread are read again`, async (context) => {
    const started = await start(app, context);
    const { ben, roomId, gate } = started;
    const client = await open(started, context);
    const root = await say(ben, roomId, 'root');
    await say(ben, roomId, 'reply', root.id);
    await client.openThread(root.id);
    await eventually(() => expect(bodiesOf(client.thread())).toEqual(['reply']));
    gate.shut();
    await say(ben, roomId, 'missed reply', root.id);
    for (const n of [1, 2, 3]) await say(ben, roomId, `missed ${n}`);
    await forgetLog(roomId, 5 + 1 + 1 + 4);
    gate.open();
    await eventually(() => expect(bodiesOf(client.room())).toEqual(['missed 2', 'missed 3']));
    await eventually(() => expect(bodiesOf(client.thread())).toEqual(['reply', 'missed reply']));
    await say(ben, roomId, 'live reply', root.id);
    await say(ben, roomId, 'live');
    await eventually(() => expect(bodiesOf(client.room())).toEqual(['missed 2', 'missed 3', 'live']));
    await eventually(() =>
      expect(bodiesOf(client.thread())).toEqual(['reply', 'missed reply', 'live reply']),
    );
  });

  test.concurrent(`${name}: reads again until it succeeds, after too much was missed`, async (context) => {
    const started = await start(app, context);
    const { ben, roomId, gate } = started;
    const client = await open(started, context);
    await say(ben, roomId, 'before');
    await eventually(() => expect(bodiesOf(client.room())).toContain('before'));
    gate.shut();
    for (const n of [1, 2, 3]) await say(ben, roomId, `missed ${n}`);
    await forgetLog(roomId, 5 + 1 + 3);
    const answer = gate.hold();
    gate.open();
    await answer.held;
    answer.lose();
    await eventually(() => expect(bodiesOf(client.room())).toEqual(['missed 2', 'missed 3']));
  });
}

/** Resolves when the client has received the event with this text. */
async function passed({ gate, live }: Started, text: string): Promise<void> {
  await eventually(() => expect(gate.hasPassed(text)).toBe(true));
  // On the same websocket, so its answer comes after the event.
  await new Promise<void>((resolve, reject) => {
    live.subscribe({ query: '{ __typename }' }, { next() {}, error: reject, complete: resolve });
  });
}

/** Removes the room's log, as if it had expired, once it has this many new messages. */
async function forgetLog(roomId: string, messages: number): Promise<void> {
  const room = rawId(roomId);
  const read = () => itemsIn(app.dynamo, ranges.log(room, 0, 1_000_000));
  await eventually(async () => {
    const entries = (await read()).flatMap(numberedIn);
    expect(entries.filter(({ entry }) => entry.type === 'message' && entry.added)).toHaveLength(messages);
  });
  await app.dynamo.transact((await read()).map(({ sk }) => ({ delete: keys.log(room, Number(sk)) })));
}
