import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSyncedEvents } from '../../src/roomEvents/roomEventQueue.ts';
import { graphql } from '../generated/gql.ts';
import { people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

test('createSyncedEvents: readers of a room who arrive together get the same event', () => {
  let time = 0;
  const after = () => () => {};
  const synced = createSyncedEvents({ now: () => time, after });
  const first = synced('a', 7);
  expect(first).toEqual({ type: 'Synced', room: 'a', cursor: 7 });
  time = 99;
  expect(synced('a', 7)).toBe(first);
  expect(synced('b', 7)).toEqual({ type: 'Synced', room: 'b', cursor: 7 });
  expect(synced('a', 8)).toEqual({ type: 'Synced', room: 'a', cursor: 8 });
  const later = synced('b', 7);
  time = 199;
  expect(synced('b', 7)).not.toBe(later);
});

test('createSyncedEvents: an event and its results are not kept longer than they are shared', () => {
  const ends: Array<() => void> = [];
  const after = (ms: number, end: () => void) => {
    expect(ms).toBe(100);
    ends.push(end);
    return () => {};
  };
  const synced = createSyncedEvents({ now: () => 0, after });
  const first = synced('a', 7);
  const second = synced('a', 8);
  ends[0]?.();
  expect(synced('a', 8)).toBe(second);
  ends[1]?.();
  expect(synced('a', 8)).not.toBe(second);
  expect(first).not.toBe(second);
});

const OpenedRoom = graphql(`
  subscription OpenedRoom($roomId: ID!) {
    roomEvents(roomId: $roomId) {
      __typename
      cursor
      room { name viewerMembership { role user { handle } } }
    }
  }
`);

test('Synced: readers who arrive together each get their own fields, and others get nothing', async () => {
  const [owner, ...others] = await people(app, 6);
  const outsider = others.pop();
  const roomId = await roomOf(owner, others);
  const first = (reader: typeof owner) => reader.subscribe(OpenedRoom, { roomId }).next();
  const results = await Promise.all([owner, ...others].map(first));
  expect(results.map(({ roomEvents }) => roomEvents.room.viewerMembership)).toEqual(
    [owner, ...others].map(({ handle }, i) => ({ role: i === 0 ? 'OWNER' : 'MEMBER', user: { handle } })),
  );
  if (outsider === undefined) throw new Error('There is no outsider.');
  await expect(Promise.all([first(owner), first(outsider)])).rejects.toThrow('FORBIDDEN');
});
