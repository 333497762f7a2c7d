import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { type Person, people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const Send = graphql(`
  mutation SendWithKey($input: SendMessageInput!) { sendMessage(input: $input) { message { id idempotencyKey } } }
`);
const Read = graphql(`query ReadKey($id: ID!) { node(id: $id) { ... on Message { idempotencyKey } } }`);
const Events = graphql(`
  subscription KeysInEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) {
      __typename
      ... on MessageAdded { message { id body idempotencyKey viewerHasLiked } }
    }
  }
`);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const key = 'made up "here"';

test('Message.idempotencyKey: is for the sender, also if the same message is sent again', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  const input = { roomId, body: 'Hello', idempotencyKey: key };
  const first = (await aki.do(Send, { input })).sendMessage.message;
  expect(first.idempotencyKey).toBe(key);
  expect((await aki.do(Send, { input })).sendMessage.message).toEqual(first);
  expect((await aki.do(Read, { id: first.id })).node).toEqual({ idempotencyKey: key });
  expect((await ben.do(Read, { id: first.id })).node).toEqual({ idempotencyKey: null });
  const without = await aki.do(Send, { input: { roomId, body: 'Hello', replyTo: first.id } });
  expect(without.sendMessage.message.idempotencyKey).toBeNull();
});

test('Message.idempotencyKey: is in the events of the sender, and in those of no other reader', async () => {
  const [aki, ben, chi] = await people(app, 3);
  const roomId = await roomOf(aki, [ben, chi]);
  const open = async (who: Person) => {
    const events = who.subscribe(Events, { roomId });
    await events.until(({ roomEvents: e }) => e.__typename === 'Synced');
    return events;
  };
  const subscriptions = [await open(ben), await open(aki), await open(chi)];
  for (const replyTo of [undefined, 'the first message']) {
    const sent = { roomId, body: replyTo ?? 'root', idempotencyKey: `${key} ${replyTo}` };
    await aki.do(Send, { input: sent });
    const seen = await Promise.all(
      subscriptions.map(async (events) => {
        const { roomEvents: e } = await events.until(
          ({ roomEvents }) =>
            roomEvents.__typename === 'MessageAdded' && roomEvents.message.body === sent.body,
        );
        return e.__typename === 'MessageAdded' ? e.message.idempotencyKey : undefined;
      }),
    );
    expect(seen).toEqual([null, sent.idempotencyKey, null]);
  }
});
