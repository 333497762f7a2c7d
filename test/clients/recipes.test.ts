/** The recipes of docs/clients.md, as they are there, with the real libraries and a connection that is cut. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { createOperationDescriptor, fetchQuery, getRequest } from 'relay-runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import type { relayRoomQuery } from './recipes/__generated__/relayRoomQuery.graphql.ts';
import * as apollo from './recipes/apollo.ts';
import * as eventSource from './recipes/eventSource.ts';
import { followRoom, type RoomEvent } from './recipes/graphqlWs.ts';
import * as relay from './recipes/relay.ts';
import { shown } from './recipes/shown.ts';
import * as urql from './recipes/urql.ts';
import { hasPython, PYTHON_RECIPE } from './support/python.ts';
import { type Started, schemaOf, start } from './support/start.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

/** Ben sends messages before, during and after an interruption. Resolves when the client has received the last one. */
async function talkThroughCut({ ben, roomId, gate }: Started, received: () => readonly string[]) {
  await say(ben, roomId, 'new 1');
  await eventually(() => expect(received()).toContain('new 1'));
  gate.cut();
  await say(ben, roomId, 'new 2');
  await say(ben, roomId, 'new 3');
  await eventually(() => expect(received()).toContain('new 3'));
  await say(ben, roomId, 'new 4');
  await eventually(() => expect(received()).toContain('new 4'));
}

const NEW = ['new 1', 'new 2', 'new 3', 'new 4'];
/** The bodies of the new messages. The cursor may be before the last of the old ones, whose events are sent then. */
const bodiesIn = (events: readonly RoomEvent[]) =>
  events
    .flatMap(({ __typename: type, message }) => (type === 'MessageAdded' ? [message?.body ?? ''] : []))
    .filter((body) => body.startsWith('new'));

test.concurrent('graphql-ws: after a cut it continues with the next event, without a repetition', async (context) => {
  const { onTestFinished } = context;
  const started = await start(app, context);
  const { live, roomId, after } = started;
  const events: RoomEvent[] = [];
  onTestFinished(followRoom(live, { roomId, after }, (event) => void events.push(event)));
  await talkThroughCut(started, () => bodiesIn(events));
  expect(bodiesIn(events)).toEqual(NEW);
});

test.concurrent('EventSource: after a cut it continues with the next event, without a repetition', async (context) => {
  const { onTestFinished } = context;
  const started = await start(app, context);
  const { url, token, roomId, after } = started;
  const events: RoomEvent[] = [];
  const onEvent = (event: RoomEvent) => void events.push(event);
  onTestFinished(eventSource.followRoom({ url, token, roomId, after, onEvent }));
  await talkThroughCut(started, () => bodiesIn(events));
  expect(bodiesIn(events)).toEqual(NEW);
});

test.concurrent('Apollo: one list of all pages, and each message in it once', async (context) => {
  const { onTestFinished } = context;
  const started = await start(app, context);
  const { url, token, live, roomId, ben } = started;
  const { possibleTypes } = await schemaOf();
  const client = apollo.createApollo({ url, token, live, possibleTypes });
  onTestFinished(() => client.stop());
  interface Page {
    readonly room: {
      readonly eventsCursor: string;
      readonly messages: {
        readonly edges: ReadonlyArray<{ readonly node: apollo.ShownMessage }>;
        readonly pageInfo: { readonly startCursor: string };
      };
    };
  }
  const query = client.watchQuery<Page>({ query: apollo.ROOM, variables: { roomId, last: 2 } });
  const subscription = query.subscribe(() => {});
  onTestFinished(() => subscription.unsubscribe());
  const page = () => query.getCurrentResult().data as Page | undefined;
  const bodies = () =>
    shown((page()?.room.messages.edges ?? []).map(({ node }) => node)).map(({ body }) => body ?? '');
  await eventually(() => expect(bodies()).toEqual(['old 4', 'old 5']));
  await query.fetchMore({ variables: { before: page()?.room.messages.pageInfo.startCursor } });
  await eventually(() => expect(bodies()).toEqual(['old 2', 'old 3', 'old 4', 'old 5']));

  onTestFinished(apollo.followRoom(client, { roomId, after: page()?.room.eventsCursor ?? '' }));
  await talkThroughCut(started, bodies);
  const old = ['old 2', 'old 3', 'old 4', 'old 5'];
  expect(bodies()).toEqual([...old, ...NEW]);

  const key = newId();
  const sent = apollo.sendMessage(client, { roomId, body: 'mine', key });
  expect(bodies()).toEqual([...old, ...NEW, 'mine']);
  await sent;
  // Again, as after a lost answer.
  await apollo.sendMessage(client, { roomId, body: 'mine', key });
  await say(ben, roomId, 'after it');
  await eventually(() => expect(bodies()).toEqual([...old, ...NEW, 'mine', 'after it']));
});

test.concurrent('urql: one list of all pages, and each message in it once', async (context) => {
  const { onTestFinished } = context;
  const started = await start(app, context);
  const { url, token, live, roomId, ben } = started;
  const now = await token();
  const { schema } = await schemaOf();
  const client = urql.createUrql({ url, token: () => now, live, schema });
  interface Page {
    readonly room: {
      readonly eventsCursor: string;
      readonly messages: {
        readonly edges: ReadonlyArray<{ readonly node: { readonly id: string; readonly body: string } }>;
        readonly pageInfo: { readonly startCursor: string };
      };
    } | null;
  }
  let page: Page['room'] = null;
  /** The ids of all messages that were in the list at any time. */
  const shown = new Set<string>();
  const watch = (variables: Record<string, unknown>) => {
    const { unsubscribe } = client
      .query<Page>(urql.ROOM, { roomId, last: 2, ...variables })
      .subscribe(({ data }) => {
        if (!data?.room) return;
        page = data.room;
        for (const { node } of page.messages.edges) shown.add(node.id);
      });
    onTestFinished(unsubscribe);
  };
  const bodies = () => (page?.messages.edges ?? []).map(({ node }) => node.body);
  watch({});
  await eventually(() => expect(bodies()).toEqual(['old 4', 'old 5']));
  const after = (page as Page['room'])?.eventsCursor;
  watch({ before: (page as Page['room'])?.messages.pageInfo.startCursor });
  const old = ['old 2', 'old 3', 'old 4', 'old 5'];
  await eventually(() => expect(bodies()).toEqual(old));

  const events = client.subscription(urql.ROOM_EVENTS, { roomId, after }).subscribe(() => {});
  onTestFinished(events.unsubscribe);
  await talkThroughCut(started, bodies);
  expect(bodies()).toEqual([...old, ...NEW]);

  const input = { roomId, body: 'mine', idempotencyKey: newId() };
  expect((await client.mutation(urql.SEND, { input }).toPromise()).error).toBeUndefined();
  expect(shown).toContain(`pending:${input.idempotencyKey}`);
  await client.mutation(urql.SEND, { input }).toPromise();
  await say(ben, roomId, 'after it');
  await eventually(() => expect(bodies()).toEqual([...old, ...NEW, 'mine', 'after it']));
});

const PYTHON = 'Python: follows a room through a cut, and answers once';

test.concurrent('Relay: one list, and each message in it once', async (context) => {
  const { onTestFinished } = context;
  const started = await start(app, context);
  const { url, token, live, roomId, ben } = started;
  const environment = relay.createRelay({ url, token, live });
  const variables = { roomId, last: 2 };
  const page = await fetchQuery<relayRoomQuery>(environment, relay.ROOM, variables).toPromise();
  const operation = createOperationDescriptor(getRequest(relay.ROOM), variables);
  onTestFinished(environment.retain(operation).dispose);
  const shown = () =>
    (environment.lookup(operation.fragment).data as relayRoomQuery['response']).room?.messages.edges ?? [];
  const bodies = () => shown().map(({ node }) => node.body ?? '');
  expect(bodies()).toEqual(['old 4', 'old 5']);
  onTestFinished(
    relay.followRoom(environment, { roomId, after: page?.room?.eventsCursor ?? '', onResync: () => {} }),
  );
  await talkThroughCut(started, bodies);
  const old = ['old 4', 'old 5'];
  expect(bodies()).toEqual([...old, ...NEW]);

  const key = newId();
  const sent = relay.sendMessage(environment, { roomId, body: 'mine', key });
  expect(shown().at(-1)?.node).toMatchObject({ id: `pending:${key}`, body: 'mine' });
  await sent;
  await relay.sendMessage(environment, { roomId, body: 'mine', key });
  await say(ben, roomId, 'after it');
  await eventually(() => expect(bodies()).toEqual([...old, ...NEW, 'mine', 'after it']));
});

test.skipIf(!hasPython)(PYTHON, { concurrent: true }, async (context) => {
  const { onTestFinished } = context;
  const started = await start(app, context);
  const { url, token, roomId, ben } = started;
  const child = spawn('python3', [PYTHON_RECIPE, url, await token(), roomId]);
  onTestFinished(() => void child.kill());
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += String(text);
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await eventually(() => expect(lines, complaints).toContain('live'));
  await talkThroughCut(started, () => lines);
  await say(ben, roomId, 'ping');
  await eventually(() => expect(lines, complaints).toContain('pong'));
  expect(lines.filter((line) => line !== 'live' && !line.startsWith('old'))).toEqual([
    ...NEW,
    'ping',
    'pong',
  ]);
});
