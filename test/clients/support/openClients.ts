/** The recipes' clients as the tests use them: a room and a thread, as they are shown. */
import { createOperationDescriptor, fetchQuery, getRequest } from 'relay-runtime';
import { expect, type TestContext } from 'vitest';
import { eventually } from '../../support/time/eventually.ts';
import type { relayRoomQuery } from '../recipes/__generated__/relayRoomQuery.graphql.ts';
import type { relayThreadQuery } from '../recipes/__generated__/relayThreadQuery.graphql.ts';
import * as apollo from '../recipes/apollo.ts';
import { untilDone } from '../recipes/reads.ts';
import * as relay from '../recipes/relay.ts';
import { shown } from '../recipes/shown.ts';
import * as urql from '../recipes/urql.ts';
import { type Started, schemaOf } from './start.ts';

export interface Shown {
  readonly id: string;
  readonly body?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
  readonly replyCount?: number;
}

/** What a recipe shows, and how it sends. */
export interface Client {
  room(): readonly Shown[];
  /** Resolves when the thread has been requested, and perhaps before it is there. */
  openThread(rootId: string): Promise<void>;
  thread(): readonly Shown[];
  reply(rootId: string, body: string, key: string): Promise<unknown>;
  /** What the thread has shown, the earliest first. */
  history(): ReadonlyArray<readonly Shown[]>;
}

export const bodiesOf = (messages: readonly Shown[]) => messages.map(({ body }) => body);

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

export type OpenClient = (started: Started, context: TestContext) => Promise<Client>;

export const openApollo: OpenClient = async ({ url, token, live, roomId }, { onTestFinished }) => {
  const { possibleTypes } = await schemaOf();
  const client = apollo.createApollo({ url, token, live, possibleTypes });
  onTestFinished(() => client.stop());
  const room = client.watchQuery<RoomPage>({ query: apollo.ROOM, variables: { roomId, last: 2 } });
  const watched = room.subscribe(() => {});
  onTestFinished(() => watched.unsubscribe());
  const shownRoom = () => (room.getCurrentResult().data as RoomPage | undefined)?.room;
  await eventually(() => expect(shownRoom()).toBeDefined());
  onTestFinished(apollo.followRoom(client, { roomId, after: shownRoom()?.eventsCursor ?? '' }));

  let thread: ThreadPage | undefined;
  const history: Array<readonly Shown[]> = [];
  const shownThread = () => shown(nodesIn(thread?.node?.replies));
  return {
    room: () => shown(nodesIn(shownRoom()?.messages)),
    async openThread(rootId) {
      const query = client.watchQuery<ThreadPage>({ query: apollo.THREAD, variables: { rootId, last: 9 } });
      const opened = query.subscribe(({ data }) => {
        thread = data as ThreadPage | undefined;
        history.push(shownThread());
      });
      onTestFinished(() => opened.unsubscribe());
    },
    thread: shownThread,
    reply: (rootId, body, key) => apollo.sendMessage(client, { roomId, body, key, rootId }),
    history: () => history,
  };
};

export const openUrql: OpenClient = async ({ url, token, live, roomId }, { onTestFinished }) => {
  const now = await token();
  const { schema } = await schemaOf();
  const client = urql.createUrql({ url, token: () => now, live, schema });
  let room: RoomPage['room'] | undefined;
  let thread: ThreadPage | undefined;
  const history: Array<readonly Shown[]> = [];
  const shownRoom = client.query<RoomPage>(urql.ROOM, { roomId, last: 2 }).subscribe(({ data }) => {
    room = data?.room ?? room;
  });
  onTestFinished(shownRoom.unsubscribe);
  await eventually(() => expect(room).toBeDefined());
  const after = room?.eventsCursor;
  const events = client.subscription(urql.ROOM_EVENTS, { roomId, after }).subscribe(() => {});
  onTestFinished(events.unsubscribe);
  const shownThread = () => shown(nodesIn(thread?.node.replies));
  return {
    room: () => shown(nodesIn(room?.messages)),
    async openThread(rootId) {
      const opened = client.query<ThreadPage>(urql.THREAD, { rootId, last: 9 }).subscribe(({ data }) => {
        thread = data ?? thread;
        history.push(shownThread());
      });
      onTestFinished(opened.unsubscribe);
    },
    thread: shownThread,
    reply(rootId, body, idempotencyKey) {
      const input = { roomId, body, idempotencyKey, replyTo: rootId };
      return client.mutation(urql.SEND, { input }).toPromise();
    },
    history: () => history,
  };
};

export const openRelay: OpenClient = async ({ url, token, live, roomId }, { onTestFinished }) => {
  const environment = relay.createRelay({ url, token, live });
  const readRoom = () => fetchQuery<relayRoomQuery>(environment, relay.ROOM, { roomId, last: 2 }).toPromise();
  const readThread = (rootId: string) =>
    fetchQuery<relayThreadQuery>(environment, relay.THREAD, { rootId, last: 9 }).toPromise();
  const page = await readRoom();
  const room = createOperationDescriptor(getRequest(relay.ROOM), { roomId, last: 2 });
  onTestFinished(environment.retain(room).dispose);
  let openRoot: string | undefined;
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const onResync = () =>
    void untilDone(() => Promise.all([readRoom(), openRoot && readThread(openRoot)]), ending.signal);
  const after = page?.room?.eventsCursor ?? '';
  onTestFinished(relay.followRoom(environment, { roomId, after, onResync }));

  let thread: ReturnType<typeof createOperationDescriptor> | undefined;
  const history: Array<readonly Shown[]> = [];
  const replies = () =>
    thread && (environment.lookup(thread.fragment).data as relayThreadQuery['response']).node?.replies;
  const shownThread = () => shown(replies()?.edges.map(({ node }) => node) ?? []);
  return {
    room: () =>
      shown(
        (environment.lookup(room.fragment).data as relayRoomQuery['response']).room?.messages.edges.map(
          ({ node }) => node,
        ) ?? [],
      ),
    async openThread(rootId) {
      openRoot = rootId;
      thread = createOperationDescriptor(getRequest(relay.THREAD), { rootId, last: 9 });
      onTestFinished(environment.retain(thread).dispose);
      const watched = environment.subscribe(environment.lookup(thread.fragment), () => {
        history.push(shownThread());
      });
      onTestFinished(watched.dispose);
      void readThread(rootId);
    },
    thread: shownThread,
    reply: (rootId, body, key) => relay.sendMessage(environment, { roomId, body, key, rootId }),
    history: () => history,
  };
};
