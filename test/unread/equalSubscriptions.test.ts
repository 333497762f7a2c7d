/** What one person's equal subscriptions on one server share: their state, and the reads that fill it. */
import { type DocumentNode, print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BadgeDocument, NotificationChangedDocument } from '../../web/src/generated/graphql.ts';
import { connect } from '../server/support/socket.ts';
import { roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';

/** The most operations of one socket. */
const MANY = 100;
const SOME = MANY / 2;

let app: TestApp;
let requests = 0;
beforeAll(async () => {
  app = await startTestApp({ onCost: () => void requests++ });
});
afterAll(() => app.stop());

async function open(handle: string) {
  const socket = await connect(`${app.url.replace('http', 'ws')}/graphql`);
  const authorization = `Bearer ${await tokenFor(handle)}`;
  socket.send({ type: 'connection_init', payload: { authorization } });
  expect(await socket.next()).toMatchObject({ type: 'connection_ack' });
  return {
    /** Opens the subscription so often, and resolves when each has its first event. */
    async subscribe(document: DocumentNode, name: string, count: number) {
      for (let i = 0; i < count; i++) socket.subscribe(`${name}${i}`, print(document));
      await this.received(count);
    },
    async received(count: number) {
      for (let i = 0; i < count; i++) expect(await socket.next()).toMatchObject({ type: 'next' });
    },
  };
}

async function requestsOf(action: () => Promise<unknown>): Promise<number> {
  const before = requests;
  await action();
  await app.quiet();
  return requests - before;
}

/** What `quiet` takes, which looks more than once. One request for each subscription would be more than SOME. */
const requestsOfNothing = () => requestsOf(async () => {});

test('unread: 100 subscriptions of one user cost the reads of one', async () => {
  const [owner, reader] = [await app.as('owner'), await app.as('reader')];
  const roomId = await roomOf(owner, [reader]);
  await say(owner, roomId, 'so that every cache is filled');
  await app.quiet();
  const socket = await open('reader');

  const sendTo = (subscriptions: number) => async () => {
    await say(owner, roomId, 'next');
    await app.quiet();
    await socket.received(subscriptions);
  };

  const none = await requestsOfNothing();
  expect(await requestsOf(() => socket.subscribe(BadgeDocument, 'first', 1))).toBeGreaterThan(none);
  const alone = await requestsOf(sendTo(1));
  const users = app.services.badges.openUsers;
  expect(await requestsOf(() => socket.subscribe(BadgeDocument, 'more', MANY - 1))).toBeLessThan(none + SOME);
  expect(app.services.badges.openUsers).toBe(users);
  expect(await requestsOf(sendTo(MANY))).toBeLessThan(alone + SOME);
});

test('notificationChanged: 100 subscriptions of one user cost the reads of one', async () => {
  const [owner, reader] = [await app.as('owner'), await app.as('mentioned')];
  const roomId = await roomOf(owner, [reader]);
  const mention = () => say(owner, roomId, 'next, @mentioned');
  await mention();
  await app.quiet();
  const socket = await open('mentioned');

  /** One notification at a time, so that each subscription has one event. */
  const notify = (subscriptions: number) => async () => {
    await mention();
    await socket.received(subscriptions);
  };

  const none = await requestsOfNothing();
  const subscribe = (name: string, count: number) => () =>
    socket.subscribe(NotificationChangedDocument, name, count);
  expect(await requestsOf(subscribe('first', 1))).toBeGreaterThan(none);
  const alone = await requestsOf(notify(1));
  expect(await requestsOf(subscribe('more', MANY - 1))).toBeLessThan(none + SOME);
  // The second event of each.
  await socket.received(MANY - 1);
  expect(await requestsOf(notify(MANY))).toBeLessThan(alone + SOME);
});
