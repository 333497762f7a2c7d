import { afterAll, beforeAll, expect, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { graphql } from '../generated/gql.ts';
import type { ArrangeRoomInput } from '../generated/graphql.ts';
import { JoinRoom, LeaveRoom } from '../support/clients/operations.ts';
import { globalId, type Person, people, rawId, roomOf } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const Arrange = graphql(`
  mutation Arrange($input: ArrangeRoomInput!) {
    arrangeRoom(input: $input) { membership { id section starred } }
  }
`);

const Arrangement = graphql(`
  query Arrangement($roomId: ID!) {
    viewer { memberships(first: 10) { edges { node { section starred room { id } } } } }
    room(id: $roomId) {
      viewerMembership { section starred }
      members(first: 10) { edges { node { user { id } section starred } } }
    }
  }
`);

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

const arrange = async (person: Person, input: ArrangeRoomInput) =>
  (await person.do(Arrange, { input })).arrangeRoom?.membership;

test('arrangeRoom: sets, keeps and removes, and only the viewer sees it', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  expect(await arrange(ben, { roomId, section: '  仕事  ' })).toMatchObject({
    section: '仕事',
    starred: false,
  });
  expect(await arrange(ben, { roomId, starred: true })).toMatchObject({ section: '仕事', starred: true });
  const { viewer, room } = await ben.do(Arrangement, { roomId });
  expect(viewer.memberships.edges.map(({ node }) => node)).toEqual([
    { section: '仕事', starred: true, room: { id: roomId } },
  ]);
  expect(room?.viewerMembership).toEqual({ section: '仕事', starred: true });
  const seenByAki = (await aki.do(Arrangement, { roomId })).room?.members.edges ?? [];
  expect(seenByAki.find(({ node }) => node.user.id === globalId(ben))?.node).toMatchObject({
    section: null,
    starred: null,
  });
  expect(await arrange(ben, { roomId, section: null, starred: null })).toMatchObject({
    section: null,
    starred: false,
  });
  const stored = await app.dynamo.get(keys.membership(ben.id, rawId(roomId)));
  expect(stored).not.toHaveProperty('section');
  expect(stored).not.toHaveProperty('starred');
});

test('arrangeRoom: idempotent, and two devices that change one each keep both', async () => {
  const [aki] = await people(app, 1);
  const roomId = await roomOf(aki, []);
  const key = keys.membership(aki.id, rawId(roomId));
  await Promise.all([
    arrange(aki, { roomId, section: 'A' }),
    arrange(aki, { roomId, starred: true }),
    arrange(aki, { roomId }),
  ]);
  const stored = await app.dynamo.get(key);
  expect(stored).toMatchObject({ section: 'A', starred: true });
  await arrange(aki, { roomId, section: 'A', starred: true });
  expect(await app.dynamo.get(key)).toEqual(stored);
});

test('arrangeRoom: refuses names that no section can have, and people outside of the room', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, []);
  for (const section of ['', '   ', 'a'.repeat(41), 'a\nb', '\u202eevil']) {
    const { errors } = await aki.send(Arrange, { input: { roomId, section } });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.section' });
  }
  const { errors } = await ben.send(Arrange, { input: { roomId, starred: true } });
  expect(errors?.[0]?.extensions?.code).toBe('FORBIDDEN');
});

test('arrangeRoom: ends with the membership', async () => {
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await arrange(ben, { roomId, section: 'Old', starred: true });
  await ben.do(LeaveRoom, { roomId });
  await ben.do(JoinRoom, { roomId });
  expect((await ben.do(Arrangement, { roomId })).room?.viewerMembership).toEqual({
    section: null,
    starred: false,
  });
});
