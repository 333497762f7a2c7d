import { afterAll, beforeAll, expect, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { people, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

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
