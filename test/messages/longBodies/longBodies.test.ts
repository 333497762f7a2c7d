/** Bodies over 1 kB are items of their own, and no one notices. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTimestamps } from '../../../src/core/timestamps.ts';
import { createDynamo, type Dynamo } from '../../../src/dynamo/dynamo.ts';
import { createItemLoader } from '../../../src/dynamo/itemLoader.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { entriesOf } from '../../../src/export/entries.ts';
import { createChanges } from '../../../src/messages/change.ts';
import { bodyOf } from '../../../src/messages/longBodies/body.ts';
import { longBodies } from '../../../src/messages/longBodies/shape.ts';
import { type MessageKey, messageOf } from '../../../src/messages/message.ts';
import { REACTIONS } from '../../../src/reactions/registry.ts';
import { CostLike } from '../../dynamo/support/costOperations.ts';
import { SendMessage, Timeline } from '../../support/clients/operations.ts';
import { messageKey, type Person, people, rawId, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { followStream } from '../../support/stream/stream.ts';
import { DeleteMessage, EditMessage } from '../support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const LONG = 'あ'.repeat(400);
const OTHER = 'い'.repeat(3_900);

async function stored(key: MessageKey) {
  const [message, body] = await app.dynamo.batchGet([
    keys.message(key.room, key.threadTs, key.ts),
    keys.body(key),
  ]);
  return { message, body };
}
const edit = async (user: Person, messageId: string, body: string) =>
  (await user.do(EditMessage, { messageId, body })).editMessage.message;
async function shown(user: Person, roomId: string) {
  const { room } = await user.do(Timeline, { roomId });
  return room?.messages.edges.map(({ node }) => node.body);
}
/** The same database, written by a server that does not follow the shape yet. */
const ofFirstShape = (): Dynamo => createDynamo({ ...app.database, timeouts: app.dynamo.timeouts });
async function read(key: MessageKey) {
  const item = await app.dynamo.get(keys.message(key.room, key.threadTs, key.ts));
  if (item === undefined) throw new Error('There is no message.');
  return messageOf(key, item);
}

async function createRoom() {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  return { aki, ben, roomId, room: rawId(roomId) };
}

describe('a long body', () => {
  test('is apart, and shown everywhere with its mentions', async () => {
    const { aki, ben, roomId, room } = await createRoom();
    const body = `${LONG} @${ben.handle}`;
    const idempotencyKey = 'once';
    const send = () => aki.do(SendMessage, { input: { roomId, body, idempotencyKey } });
    const { id } = (await send()).sendMessage.message;
    const { message, body: apart } = await stored(messageKey(id));
    expect(message).toMatchObject({ v: 2, bodyApart: true });
    expect(message).not.toHaveProperty('body');
    expect(apart).toMatchObject({ v: 2, edits: 0 });
    expect((await send()).sendMessage.message.id).toBe(id);
    await say(ben, roomId, LONG, id);
    expect(await shown(ben, roomId)).toEqual([body]);
    const entries = entriesOf({ dynamo: app.dynamo, room, until: '9'.repeat(16) });
    const bodies: Array<string | null> = [];
    for await (const entry of entries) bodies.push('body' in entry ? entry.body : null);
    expect(bodies).toEqual([body, LONG]);
  });

  test('is with its message up to 1 kB, and in the first shape', async () => {
    const { aki, roomId } = await createRoom();
    const { id } = await say(aki, roomId, 'x'.repeat(1_024));
    expect(await stored(messageKey(id))).toMatchObject({
      message: { v: 1, body: 'x'.repeat(1_024) },
      body: undefined,
    });
    const first = createChanges({
      dynamo: ofFirstShape(),
      timestamps: createTimestamps(),
      extensions: REACTIONS,
    });
    await first.edit(aki.id, messageKey(id), LONG);
    expect(await stored(messageKey(id))).toMatchObject({ message: { v: 1, body: LONG }, body: undefined });
    expect(await shown(aki, roomId)).toEqual([LONG]);
  });

  test('moves when its length does, in each edit, and is gone with its message', async () => {
    const { aki, roomId } = await createRoom();
    const { id } = await say(aki, roomId, LONG);
    const key = messageKey(id);
    expect((await edit(aki, id, OTHER)).body).toBe(OTHER);
    expect(await stored(key)).toMatchObject({ message: { v: 2, edits: 1 }, body: { body: OTHER, edits: 1 } });
    expect((await edit(aki, id, 'short')).body).toBe('short');
    expect(await stored(key)).toMatchObject({ message: { v: 1, body: 'short', edits: 2 }, body: undefined });
    expect((await stored(key)).message).not.toHaveProperty('bodyApart');
    expect((await edit(aki, id, LONG)).body).toBe(LONG);
    expect(await stored(key)).toMatchObject({ message: { bodyApart: true }, body: { edits: 3 } });
    expect(await shown(aki, roomId)).toEqual([LONG]);
    const deleted = (await aki.do(DeleteMessage, { messageId: id })).deleteMessage.message;
    expect(deleted.body).toBeNull();
    expect(await stored(key)).toMatchObject({ message: { v: 1 }, body: undefined });
    expect((await stored(key)).message).not.toHaveProperty('bodyApart');
  });

  test('an edit in the first shape puts it back', async () => {
    const { aki, roomId } = await createRoom();
    const { id } = await say(aki, roomId, LONG);
    const first = createChanges({
      dynamo: ofFirstShape(),
      timestamps: createTimestamps(),
      extensions: REACTIONS,
    });
    await first.edit(aki.id, messageKey(id), OTHER);
    expect(await stored(messageKey(id))).toMatchObject({ message: { v: 1, body: OTHER }, body: undefined });
  });
});

describe('between two reads', () => {
  test.each([
    ['an edit', OTHER, (user: Person, id: string) => edit(user, id, OTHER)],
    ['an edit to a short one', 'short', (user: Person, id: string) => edit(user, id, 'short')],
    ['a deletion', null, (user: Person, id: string) => user.do(DeleteMessage, { messageId: id })],
    ['the way back', LONG, async (_user: Person, id: string) => convert(messageKey(id), 'down')],
  ] as const)('%s is seen as a whole', async (_what, expected, change) => {
    const { aki, roomId } = await createRoom();
    const { id } = await say(aki, roomId, LONG);
    const message = await read(messageKey(id));
    await change(aki, id);
    expect(await bodyOf(message, createItemLoader(app.dynamo))).toBe(expected);
  });

  test('many readers and an editor: each text is one that was written, and never older than its message', async () => {
    const { aki, roomId } = await createRoom();
    const { id } = await say(aki, roomId, `0 ${LONG}`);
    let done = false;
    const reader = async () => {
      while (!done) {
        const message = await read(messageKey(id));
        const text = await bodyOf(message, createItemLoader(app.dynamo));
        const [number = '', filler] = (text ?? '').split(' ');
        expect([LONG, OTHER, 'short']).toContain(filler);
        expect(Number(number)).toBeGreaterThanOrEqual(message.edits);
      }
    };
    const editor = async () => {
      for (let n = 1; n <= 30; n++) await edit(aki, id, `${n} ${[LONG, OTHER, 'short'][n % 3]}`);
      done = true;
    };
    await Promise.all([editor().finally(() => (done = true)), reader(), reader(), reader()]);
  });
});

test.each(['up', 'down'] as const)(
  'an edit and a deletion succeed although the body moves %s meanwhile',
  async (direction) => {
    const { aki, roomId } = await createRoom();
    const { id } = await say(aki, roomId, LONG);
    const key = messageKey(id);
    const moving = (): Dynamo => {
      let moved = false;
      return {
        ...app.dynamo,
        async tryTransact(writes, options) {
          if (!moved) await convert(key, direction);
          moved = true;
          return app.dynamo.tryTransact(writes, options);
        },
      };
    };
    const changes = (dynamo: Dynamo) =>
      createChanges({ dynamo, timestamps: createTimestamps(), extensions: REACTIONS });
    if (direction === 'up') await convert(key, 'down');
    await changes(moving()).edit(aki.id, key, OTHER);
    expect(await stored(key)).toMatchObject({ message: { edits: 1 }, body: { body: OTHER, edits: 1 } });
    if (direction === 'up') await convert(key, 'down');
    await changes(moving()).remove(aki.id, key);
    expect(await stored(key)).toMatchObject({ message: { v: 1 }, body: undefined });
  },
);

test('the stream record of a like has no body', async () => {
  const { aki, ben, roomId } = await createRoom();
  const { id } = await say(aki, roomId, OTHER);
  await app.quiet();
  const changes = await followStream(app.database);
  await ben.do(CostLike, { messageId: id });
  await app.quiet();
  const text = JSON.stringify(await changes());
  expect(text).toContain('likeCount');
  expect(text).not.toContain('い');
});

/** What a job does with one message. */
async function convert(key: MessageKey, direction: 'up' | 'down'): Promise<void> {
  const { message, body } = await stored(key);
  const before = [message, body].flatMap((item) => (item === undefined ? [] : [item as never]));
  const after = longBodies[direction](before);
  const gone = [keys.message(key.room, key.threadTs, key.ts), keys.body(key)].filter(
    ({ sk }) => !after.some((item) => item.sk === sk),
  );
  await app.dynamo.transact([...after.map((put) => ({ put })), ...gone.map((one) => ({ delete: one }))]);
}
