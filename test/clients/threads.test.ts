/** Replies in the recipes of docs/clients.md: in the list of their thread, and never among the room's roots. */
import { createOperationDescriptor, fetchQuery, getRequest } from 'relay-runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import type { relayRoomQuery } from './recipes/__generated__/relayRoomQuery.graphql.ts';
import type { relayThreadQuery } from './recipes/__generated__/relayThreadQuery.graphql.ts';
import * as apollo from './recipes/apollo.ts';
import * as relay from './recipes/relay.ts';
import * as urql from './recipes/urql.ts';
import { type Started, schemaOf, start } from './support/start.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

interface Shown {
  readonly id: string;
  readonly body?: string | null | undefined;
  readonly replyCount?: number;
}

/** What a recipe shows, and how it sends. */
interface Client {
  room(): readonly Shown[];
  openThread(rootId: string): Promise<void>;
  thread(): readonly Shown[];
  reply(rootId: string, body: string, key: string): Promise<unknown>;
}

const bodiesOf = (messages: readonly Shown[]) => messages.map(({ body }) => body);

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

interface Messages {
  readonly edges: ReadonlyArray<{ readonly node: apollo.ShownMessage }>;
}
interface RoomPage {
  readonly room: { readonly eventsCursor: string; readonly messages: Messages };
}
interface ThreadPage {
  readonly node: { readonly replies: Messages };
}
const nodesIn = (messages: Messages | undefined) => (messages?.edges ?? []).map(({ node }) => node);

test.concurrent('Apollo: replies are in their thread, and not among the roots', async (context) => {
  const started = await start(app, context);
  const { url, token, live, roomId } = started;
  const { possibleTypes } = await schemaOf();
  const client = apollo.createApollo({ url, token, live, possibleTypes });
  context.onTestFinished(() => client.stop());
  const room = client.watchQuery<RoomPage>({ query: apollo.ROOM, variables: { roomId, last: 2 } });
  const watched = room.subscribe(() => {});
  context.onTestFinished(() => watched.unsubscribe());
  const shownRoom = () => (room.getCurrentResult().data as RoomPage | undefined)?.room;
  await eventually(() => expect(shownRoom()).toBeDefined());
  context.onTestFinished(apollo.followRoom(client, { roomId, after: shownRoom()?.eventsCursor ?? '' }));

  let thread: ThreadPage | undefined;
  await talkInThread(started, {
    room: () => apollo.shown(nodesIn(shownRoom()?.messages)),
    async openThread(rootId) {
      const query = client.watchQuery<ThreadPage>({ query: apollo.THREAD, variables: { rootId, last: 9 } });
      const opened = query.subscribe(({ data }) => {
        thread = data as ThreadPage | undefined;
      });
      context.onTestFinished(() => opened.unsubscribe());
    },
    thread: () => apollo.shown(nodesIn(thread?.node.replies)),
    reply: (rootId, body, key) => apollo.sendMessage(client, { roomId, body, key, rootId }),
  });
});

test.concurrent('urql: replies are in their thread, and not among the roots', async (context) => {
  const started = await start(app, context);
  const { url, token, live, roomId } = started;
  const now = await token();
  const { schema } = await schemaOf();
  const client = urql.createUrql({ url, token: () => now, live, schema });
  let room: RoomPage['room'] | undefined;
  let thread: ThreadPage | undefined;
  /** The ids of all replies that were in the thread at any time. */
  const shown = new Set<string>();
  const keys = new Set<string>();
  const shownRoom = client.query<RoomPage>(urql.ROOM, { roomId, last: 2 }).subscribe(({ data }) => {
    room = data?.room ?? room;
  });
  context.onTestFinished(shownRoom.unsubscribe);
  await eventually(() => expect(room).toBeDefined());
  const after = room?.eventsCursor;
  const events = client.subscription(urql.ROOM_EVENTS, { roomId, after }).subscribe(() => {});
  context.onTestFinished(events.unsubscribe);

  await talkInThread(started, {
    room: () => nodesIn(room?.messages),
    async openThread(rootId) {
      const opened = client.query<ThreadPage>(urql.THREAD, { rootId, last: 9 }).subscribe(({ data }) => {
        thread = data ?? thread;
        for (const { id } of nodesIn(thread?.node.replies)) shown.add(id);
      });
      context.onTestFinished(opened.unsubscribe);
    },
    thread: () => nodesIn(thread?.node.replies),
    reply(rootId, body, idempotencyKey) {
      keys.add(idempotencyKey);
      const input = { roomId, body, idempotencyKey, replyTo: rootId };
      return client.mutation(urql.SEND, { input }).toPromise();
    },
  });
  for (const key of keys) expect(shown).toContain(`pending:${key}`);
});

test.concurrent('Relay: replies are in their thread, and not among the roots', async (context) => {
  const started = await start(app, context);
  const { url, token, live, roomId } = started;
  const environment = relay.createRelay({ url, token, live });
  const page = await fetchQuery<relayRoomQuery>(environment, relay.ROOM, { roomId, last: 2 }).toPromise();
  const room = createOperationDescriptor(getRequest(relay.ROOM), { roomId, last: 2 });
  context.onTestFinished(environment.retain(room).dispose);
  context.onTestFinished(relay.followRoom(environment, { roomId, after: page?.room?.eventsCursor ?? '' }));

  let thread: ReturnType<typeof createOperationDescriptor> | undefined;
  const shownThread = () =>
    thread && (environment.lookup(thread.fragment).data as relayThreadQuery['response']).node?.replies;
  await talkInThread(started, {
    room: () =>
      (environment.lookup(room.fragment).data as relayRoomQuery['response']).room?.messages.edges.map(
        ({ node }) => node,
      ) ?? [],
    async openThread(rootId) {
      await fetchQuery<relayThreadQuery>(environment, relay.THREAD, { rootId, last: 9 }).toPromise();
      thread = createOperationDescriptor(getRequest(relay.THREAD), { rootId, last: 9 });
      context.onTestFinished(environment.retain(thread).dispose);
    },
    thread: () => shownThread()?.edges.map(({ node }) => node) ?? [],
    reply: (rootId, body, key) => relay.sendMessage(environment, { roomId, body, key, rootId }),
  });
});
