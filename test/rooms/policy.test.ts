/** Which roles may do what to a room and its members, as a table that is independent of the policy. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../generated/graphql.ts';
import {
  AddMember,
  BanMember,
  Me,
  RemoveMember,
  SetMemberRole,
  UnbanMember,
  UpdateRoom,
} from '../support/clients/operations.ts';
import { globalId, newUser, type Person, people, roomOf } from '../support/clients/people.ts';
import { admit, promote } from '../support/clients/roles.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

type Operation = (person: Person, roomId: string, userId: string) => Promise<string | undefined>;

const setTo =
  (role: Role): Operation =>
  (person, roomId, userId) =>
    person.refused(SetMemberRole, { roomId, userId, role });
const rename: Operation = (person, roomId) =>
  person.refused(UpdateRoom, { input: { roomId, name: 'Other' } });
const resize: Operation = (person, roomId) =>
  person.refused(UpdateRoom, { input: { roomId, capacity: 500 } });
const add: Operation = (person, roomId, userId) => person.refused(AddMember, { roomId, userId });
const remove: Operation = (person, roomId, userId) => person.refused(RemoveMember, { roomId, userId });
const ban: Operation = (person, roomId, userId) => person.refused(BanMember, { roomId, userId });
const unban: Operation = (person, roomId, userId) => person.refused(UnbanMember, { roomId, userId });

interface Row {
  readonly operation: string;
  readonly run: Operation;
  /** The target's role. Absent: the operation has no target. */
  readonly to?: Role | 'non-member';
  readonly owner?: string;
  readonly moderator?: string;
  readonly member?: string;
}

const [ownersAndModerators, owners] = [
  { member: 'FORBIDDEN' },
  { member: 'FORBIDDEN', moderator: 'FORBIDDEN' },
] as const;
const absent = { owner: 'NOT_FOUND', moderator: 'NOT_FOUND' } as const;

const table: readonly Row[] = [
  { operation: 'updateRoom: name', run: rename, ...ownersAndModerators },
  { operation: 'updateRoom: capacity', run: resize, ...owners },
  { operation: 'addMember', run: add, to: 'non-member', ...ownersAndModerators },
  { operation: 'setMemberRole: MODERATOR', run: setTo('MODERATOR'), to: 'MEMBER', ...owners },
  { operation: 'setMemberRole: OWNER', run: setTo('OWNER'), to: 'MEMBER', ...owners },
  { operation: 'setMemberRole: MEMBER', run: setTo('MEMBER'), to: 'MODERATOR', ...owners },
  { operation: 'setMemberRole: MEMBER', run: setTo('MEMBER'), to: 'OWNER', ...owners },
  { operation: 'setMemberRole: OWNER', run: setTo('OWNER'), to: 'non-member', ...owners, owner: 'NOT_FOUND' },
  { operation: 'removeMember', run: remove, to: 'MEMBER', ...ownersAndModerators },
  { operation: 'removeMember', run: remove, to: 'MODERATOR', ...owners },
  { operation: 'removeMember', run: remove, to: 'OWNER', ...owners },
  { operation: 'removeMember', run: remove, to: 'non-member', ...ownersAndModerators, ...absent },
  { operation: 'banMember', run: ban, to: 'MEMBER', ...ownersAndModerators },
  { operation: 'banMember', run: ban, to: 'MODERATOR', ...owners },
  { operation: 'banMember', run: ban, to: 'OWNER', ...owners },
  { operation: 'banMember', run: ban, to: 'non-member', ...ownersAndModerators },
  { operation: 'unbanMember', run: unban, to: 'non-member', ...ownersAndModerators },
];

describe.each(['PUBLIC', 'PRIVATE'] as const)('policy: in a %s room', (visibility) => {
  let roomId: string;
  let actors: { owner: Person; moderator: Person; member: Person; outsider: Person };
  beforeAll(async () => {
    const [owner, moderator, member, outsider] = await people(app, 4);
    roomId = await roomOf(owner, [], { visibility });
    for (const person of [moderator, member]) await admit(owner, roomId, person);
    await promote(owner, roomId, moderator, 'MODERATOR');
    await outsider.do(Me);
    actors = { owner, moderator, member, outsider };
  });

  /** A new person with this role. */
  async function target(role: Row['to']): Promise<string> {
    if (role === undefined) return '';
    const person = await newUser(app);
    await person.do(Me);
    if (role !== 'non-member') await admit(actors.owner, roomId, person);
    if (role === 'OWNER' || role === 'MODERATOR') await promote(actors.owner, roomId, person, role);
    return globalId(person);
  }

  test.each(table)('$operation (target: $to)', async ({ operation: _operation, run, to, ...codes }) => {
    const first = await target(to);
    const outside = visibility === 'PUBLIC' ? 'FORBIDDEN' : 'NOT_FOUND';
    expect(await run(actors.outsider, roomId, first)).toBe(outside);
    expect(await run(actors.member, roomId, first)).toBe(codes.member);
    expect(await run(actors.moderator, roomId, first)).toBe(codes.moderator);
    const second = codes.moderator === undefined ? await target(to) : first;
    expect(await run(actors.owner, roomId, second)).toBe(codes.owner);
  });
});
