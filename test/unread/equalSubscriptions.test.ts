/** What one person's equal subscriptions on one server share: their state, and the reads that fill it. */
import { print } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BadgeDocument } from '../../web/src/generated/graphql.ts';
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
    /** Opens `unread` so often, and resolves when each has its first event. */
    async subscribe(name: string, count: number) {
      for (let i = 0; i < count; i++) socket.subscribe(`${name}${i}`, print(BadgeDocument));
      await this.received(count);
    },
    async received(count: number) {
      for (let i = 0; i < count; i++) expect(await socket.next()).toMatchObject({ type: 'next' });
    },
  };
}

test('unread: a hundred subscriptions of one person read as much as one, when they open and for each event', async () => {
  const [owner, reader] = [await app.as('owner'), await app.as('reader')];
  const roomId = await roomOf(owner, [reader]);
  await say(owner, roomId, 'so that every cache is filled');
  await app.quiet();
  const socket = await open('reader');

  const requestsOf = async (action: () => Promise<unknown>) => {
    const before = requests;
    await action();
    await app.quiet();
    return requests - before;
  };
  const sendTo = (subscriptions: number) => async () => {
    await say(owner, roomId, 'next');
    await app.quiet();
    await socket.received(subscriptions);
  };

  // What `quiet` takes, which looks more than once. One request for each subscription would be more than SOME.
  const none = await requestsOf(async () => {});
  expect(await requestsOf(() => socket.subscribe('first', 1))).toBeGreaterThan(none);
  const alone = await requestsOf(sendTo(1));
  const users = app.services.badges.openUsers;
  expect(await requestsOf(() => socket.subscribe('more', MANY - 1))).toBeLessThan(none + SOME);
  expect(app.services.badges.openUsers).toBe(users);
  expect(await requestsOf(sendTo(MANY))).toBeLessThan(alone + SOME);
});
