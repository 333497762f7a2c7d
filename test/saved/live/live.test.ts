/** What a user's other devices receive, and what they are asked after a gap. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { userTopic } from '../../../src/bus/bus.ts';
import { createMemoryBus } from '../../../src/bus/memory.ts';
import { createConsistentLoader } from '../../../src/dynamo/itemLoader.ts';
import type { LiveStream } from '../../../src/live/subscription.ts';
import type { MembershipEvent } from '../../../src/rooms/room.ts';
import { createSavedStreams } from '../../../src/saved/live/savedStreams.ts';
import type { SavedEvent } from '../../../src/saved/live/subscription.ts';
import { savedTopic } from '../../../src/saved/live/update.ts';
import { silent } from '../../stream/support/stream.ts';
import { connectTo, type Person, people, roomOf, say } from '../../support/clients/people.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { eventually } from '../../support/time/eventually.ts';
import {
  RemoveSavedMessage,
  RenameSavedTag,
  SavedChanged,
  SavedMessages,
  SavedTags,
  SaveMessage,
} from '../support/operations.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

async function room() {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const { id: messageId } = await say(aki, roomId, 'one');
  return { aki, ben, roomId, messageId };
}

const subscribe = (by: Person) => by.subscribe(SavedChanged, {});
type Changes = ReturnType<typeof subscribe>;
const next = async (changes: Changes) => (await changes.next()).savedChanged;

describe('savedChanged', () => {
  test('sends every change to all devices of the user, and to no one else', async () => {
    const { aki, ben, messageId } = await room();
    const phone = await connectTo(app, ben);
    const [own, other, foreign] = [subscribe(ben), subscribe(phone), subscribe(aki)];
    const nothing = { savedMessage: null, removedId: null, version: 0 };
    for (const changes of [own, other, foreign]) {
      expect(await next(changes)).toEqual({
        ...nothing,
        counts: { total: 0, public: 0, private: 0, untagged: 0 },
      });
    }
    const { saveMessage } = await ben.do(SaveMessage, { input: { messageId, note: 'n', tags: ['a'] } });
    const { id } = saveMessage.savedMessage;
    for (const changes of [own, other]) {
      expect(await next(changes)).toEqual({
        savedMessage: {
          id,
          note: 'n',
          tags: ['a'],
          version: 1,
          visibility: 'PRIVATE',
          message: { id: messageId, body: 'one' },
        },
        removedId: null,
        version: 1,
        counts: { total: 1, public: 0, private: 1, untagged: 0 },
      });
    }
    await ben.do(SaveMessage, { input: { messageId, visibility: 'PUBLIC', tags: [] } });
    for (const changes of [own, other]) {
      expect(await next(changes)).toMatchObject({
        savedMessage: { id, tags: [], visibility: 'PUBLIC' },
        counts: { total: 1, public: 1, private: 0, untagged: 1 },
      });
    }
    await phone.do(RemoveSavedMessage, { input: { messageId } });
    for (const changes of [own, other]) {
      expect(await next(changes)).toEqual({
        savedMessage: null,
        removedId: id,
        version: 3,
        counts: { total: 0, public: 0, private: 0, untagged: 0 },
      });
    }
    // Aki's first event is that of a change of her own.
    await aki.do(SaveMessage, { input: { messageId, note: 'hers' } });
    expect(await next(foreign)).toMatchObject({ savedMessage: { note: 'hers' }, counts: { total: 1 } });
    for (const changes of [own, other, foreign]) changes.close();
  });

  test('a renamed tag: all devices are asked to read again, once, and not when it is counted', async () => {
    const { aki, ben, messageId } = await room();
    const phone = await connectTo(app, ben);
    const [own, other, foreign] = [subscribe(ben), subscribe(phone), subscribe(aki)];
    for (const changes of [own, other, foreign]) await next(changes);
    await ben.do(SaveMessage, { input: { messageId, tags: ['Old', 'other'] } });
    for (const changes of [own, other])
      expect(await next(changes)).toMatchObject({ savedMessage: { tags: ['Old', 'other'] } });
    const { edges } = (await ben.do(SavedTags, { prefix: 'old' })).viewer.savedTags;
    const tagId = edges[0]?.node.id ?? '';
    for (const name of ['New', 'new']) {
      await ben.do(RenameSavedTag, { input: { tagId, name } });
      for (const changes of [own, other]) {
        expect(await next(changes)).toMatchObject({
          savedMessage: null,
          removedId: null,
          version: 0,
          counts: { total: 1 },
        });
      }
      // What is read then has the new name.
      const { node } = (await phone.do(SavedMessages, {})).viewer.savedMessages.edges[0] ?? {};
      expect(node?.tags).toEqual([name, 'other']);
    }
    // Another tag in use: each entry changes. The next event is that of the entry.
    await ben.do(RenameSavedTag, { input: { tagId, name: 'other' } });
    for (const changes of [own, other])
      expect(await next(changes)).toMatchObject({ savedMessage: { tags: ['other'], version: 2 } });
    // Aki's first event is that of a change of her own.
    await aki.do(SaveMessage, { input: { messageId, note: 'hers' } });
    expect(await next(foreign)).toMatchObject({ savedMessage: { note: 'hers' } });
    for (const changes of [own, other, foreign]) changes.close();
  });

  test('after a gap an event without a saved message follows', async () => {
    const { ben, messageId } = await room();
    const changes = subscribe(ben);
    await next(changes);
    await app.services.resync.resync();
    expect(await next(changes)).toMatchObject({ savedMessage: null, removedId: null, counts: { total: 0 } });
    await ben.do(SaveMessage, { input: { messageId } });
    expect(await next(changes)).toMatchObject({ savedMessage: { version: 1 } });
    changes.close();
  });
});

describe('a subscription', () => {
  /** On a server that gets only what the test publishes. */
  async function apart() {
    const { ben, roomId, aki } = await room();
    const bus = createMemoryBus({ log: silent });
    const streams = createSavedStreams({ items: createConsistentLoader(app.dynamo), bus, log: silent });
    const events = await streams.subscribe(ben.id);
    const take = async (): Promise<SavedEvent> => (await events.next()).value;
    const save = async (isPublished: boolean, note = 'n') => {
      const {
        room: of,
        threadTs,
        ts,
      } = await app.services.messages.send({ room: rawRoom(roomId), author: aki.id, body: 'something' });
      const message = { room: of, threadTs, ts };
      const change = async (text: string) => {
        const { version } = await app.services.saved.save(
          { user: ben.id, ...message },
          { note: text },
          { known: false },
        );
        if (isPublished) await bus.publish(savedTopic(ben.id), { ...message, version });
        return version;
      };
      await change(note);
      return { message, change };
    };
    return { ben, bus, streams, events, take, save };
  }
  const rawRoom = (id: string) => Buffer.from(id, 'base64').toString().split(':')[1] ?? '';

  test('sends the last of many changes that wait for the client, and none twice', async () => {
    const { ben, bus, take, save, streams } = await apart();
    expect((await take()).entry).toBeNull();
    const { message, change } = await save(true, 'one');
    for (const note of ['two', 'three']) await change(note);
    // An old one, that the stream has repeated.
    await bus.publish(savedTopic(ben.id), { ...message, version: 1 });
    const event = await take();
    expect([event.entry?.note, event.version]).toEqual(['three', 3]);
    const other = await save(true, 'other');
    expect((await take()).entry?.note).toBe('other');
    await bus.publish(savedTopic(ben.id), { ...other.message, version: 1 });
    await other.change('last');
    expect((await take()).entry?.note).toBe('last');
    streams.stop?.();
  });

  test('makes an event again that is being executed when its user leaves a room', async () => {
    const { ben, bus, save, events, streams } = await apart();
    const sent: Array<string | undefined> = [];
    const executing: Array<() => void> = [];
    const execute = async () => {
      await eventually(() => expect(executing).toHaveLength(1));
      executing.pop()?.();
    };
    const ended = (events as LiveStream<SavedEvent>).pushTo(async (event, mayStillSend) => {
      await new Promise<void>((resolve) => executing.push(resolve));
      if (mayStillSend(event)) sent.push(event.entry?.note ?? undefined);
    });
    await execute();
    await save(true, 'a note');
    await eventually(() => expect(executing).toHaveLength(1));
    const left = { type: 'left', room: 'any', version: 1 } as const;
    await bus.publish(userTopic<MembershipEvent>(ben.id), left);
    await new Promise(setImmediate);
    await execute();
    await eventually(() => expect(executing).toHaveLength(1));
    expect(sent).toEqual([undefined]);
    await execute();
    await eventually(() => expect(sent).toEqual([undefined, 'a note']));
    streams.stop?.();
    await ended;
  });

  test('finds at the second comparison that an update was lost', async () => {
    const { take, save, streams } = await apart();
    await take();
    const seen = await save(true, 'seen');
    expect((await take()).entry?.note).toBe('seen');
    await streams.compare();
    await streams.compare();
    await seen.change('again');
    // No event in between: nothing was lost until then.
    expect((await take()).entry?.note).toBe('again');
    await save(false);
    await streams.compare();
    await streams.compare();
    const event = await take();
    expect([event.entry, event.removed, event.counts.private]).toEqual([null, null, 2]);
    streams.stop?.();
  });

  test('asks the client to read again if more changed than are kept for it', async () => {
    const { ben, bus, take, streams } = await apart();
    await take();
    for (let i = 0; i < 300; i++) {
      const ts = String(1_000 + i).padStart(16, '0');
      await bus.publish(savedTopic(ben.id), { room: 'r1', threadTs: ts, ts, version: 1 });
    }
    const event = await take();
    expect([event.entry, event.removed]).toEqual([null, null]);
    streams.stop?.();
  });
});
