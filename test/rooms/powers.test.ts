/** Who may do what to a room and to the people in it: a table of its own, written apart from the policy. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '../generated/graphql.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import {
  AddMember,
  BanMember,
  Me,
  RemoveMember,
  SetMemberRole,
  UnbanMember,
  UpdateRoom,
} from '../support/operations.ts';
import { globalId, type Person, people, roomOf, somebody } from '../support/people.ts';
import { admit, promote } from '../support/roles.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

type Doing = (person: Person, roomId: string, userId: string) => Promise<string | undefined>;

const setTo =
  (role: Role): Doing =>
  (person, roomId, userId) =>
    person.refused(SetMemberRole, { roomId, userId, role });
const rename: Doing = (person, roomId) => person.refused(UpdateRoom, { input: { roomId, name: 'Other' } });
const resize: Doing = (person, roomId) => person.refused(UpdateRoom, { input: { roomId, capacity: 500 } });
const add: Doing = (person, roomId, userId) => person.refused(AddMember, { roomId, userId });
const remove: Doing = (person, roomId, userId) => person.refused(RemoveMember, { roomId, userId });
const ban: Doing = (person, roomId, userId) => person.refused(BanMember, { roomId, userId });
const unban: Doing = (person, roomId, userId) => person.refused(UnbanMember, { roomId, userId });

interface Row {
  readonly what: string;
  readonly doing: Doing;
  /** Absent: to the room. */
  readonly to?: Role | 'nobody there';
  readonly owner?: string;
  readonly moderator?: string;
  readonly member?: string;
}

const [keepers, owners] = [{ member: 'FORBIDDEN' }, { member: 'FORBIDDEN', moderator: 'FORBIDDEN' }] as const;
const absent = { owner: 'NOT_FOUND', moderator: 'NOT_FOUND' } as const;

const table: readonly Row[] = [
  { what: 'renaming', doing: rename, ...keepers },
  { what: 'changing the capacity', doing: resize, ...owners },
  { what: 'adding', doing: add, to: 'nobody there', ...keepers },
  { what: 'making a moderator', doing: setTo('MODERATOR'), to: 'MEMBER', ...owners },
  { what: 'making an owner', doing: setTo('OWNER'), to: 'MEMBER', ...owners },
  { what: 'making a member', doing: setTo('MEMBER'), to: 'MODERATOR', ...owners },
  { what: 'making a member', doing: setTo('MEMBER'), to: 'OWNER', ...owners },
  { what: 'making an owner', doing: setTo('OWNER'), to: 'nobody there', ...owners, owner: 'NOT_FOUND' },
  { what: 'removing', doing: remove, to: 'MEMBER', ...keepers },
  { what: 'removing', doing: remove, to: 'MODERATOR', ...owners },
  { what: 'removing', doing: remove, to: 'OWNER', ...owners },
  { what: 'removing', doing: remove, to: 'nobody there', ...keepers, ...absent },
  { what: 'banning', doing: ban, to: 'MEMBER', ...keepers },
  { what: 'banning', doing: ban, to: 'MODERATOR', ...owners },
  { what: 'banning', doing: ban, to: 'OWNER', ...owners },
  { what: 'banning', doing: ban, to: 'nobody there', ...keepers },
  { what: 'lifting a ban', doing: unban, to: 'nobody there', ...keepers },
];

describe.each(['PUBLIC', 'PRIVATE'] as const)('in a %s room', (visibility) => {
  let roomId: string;
  let who: { owner: Person; moderator: Person; member: Person; outsider: Person };
  beforeAll(async () => {
    const [owner, moderator, member, outsider] = await people(app, 4);
    roomId = await roomOf(owner, [], { visibility });
    for (const person of [moderator, member]) await admit(owner, roomId, person);
    await promote(owner, roomId, moderator, 'MODERATOR');
    await outsider.do(Me);
    who = { owner, moderator, member, outsider };
  });

  /** Somebody new in this role, to whom nothing has been done yet. */
  async function target(role: Row['to']): Promise<string> {
    if (role === undefined) return '';
    const person = await somebody(app);
    await person.do(Me);
    if (role !== 'nobody there') await admit(who.owner, roomId, person);
    if (role === 'OWNER' || role === 'MODERATOR') await promote(who.owner, roomId, person, role);
    return globalId(person);
  }

  test.each(table)('$what (to: $to)', async ({ what: _what, doing, to, ...codes }) => {
    const first = await target(to);
    const outside = visibility === 'PUBLIC' ? 'FORBIDDEN' : 'NOT_FOUND';
    expect(await doing(who.outsider, roomId, first)).toBe(outside);
    expect(await doing(who.member, roomId, first)).toBe(codes.member);
    expect(await doing(who.moderator, roomId, first)).toBe(codes.moderator);
    const second = codes.moderator === undefined ? await target(to) : first;
    expect(await doing(who.owner, roomId, second)).toBe(codes.owner);
  });
});
