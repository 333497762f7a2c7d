/** Handles are unique, and a released handle stays reserved for a while. */

import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { newId } from '../../src/core/ids.ts';
import { RATE_LIMITS } from '../../src/core/rateLimits.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { Me, UpdateProfile, UserByHandle } from '../support/clients/operations.ts';
import { newUser, type Person, people } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';

const DAY = 24 * 3600 * 1000;

let app: TestApp;
/** Milliseconds that the server's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  const config = { rateLimits: { handles: { max: 12, seconds: 24 * 3600 } } };
  app = await startTestApp({ now: () => Date.now() + ahead, config });
});
afterAll(() => app.stop());

const unique = () => `h_${newId().slice(0, 10)}`;
const rename = (person: Person, handle: string | null) =>
  person.refused(UpdateProfile, { input: { handle } });
const owner = async (viewer: Person, handle: string) =>
  (await viewer.do(UserByHandle, { handle })).user?.handle;
const handleOf = async (person: Person) => (await person.do(Me)).viewer.user.handle;

test('updateProfile: refuses a handle of another user with HANDLE_TAKEN, in any case', async () => {
  const [aki, ben] = await people(app, 2);
  const handle = unique();
  expect(await rename(aki, handle)).toBeUndefined();
  await ben.do(Me);
  expect(await rename(ben, handle)).toBe('HANDLE_TAKEN');
  expect(await rename(ben, handle.toUpperCase())).toBe('HANDLE_TAKEN');
  expect(await handleOf(ben)).toBe(ben.handle);
  expect(await rename(aki, handle)).toBeUndefined();
});

test('updateProfile: gives a handle to one of ten users who want it at once', async () => {
  const crowd = await people(app, 10);
  for (const person of crowd) await person.do(Me);
  const handle = unique();
  const codes = await Promise.all(crowd.map((person) => rename(person, handle)));
  expect(codes.filter((code) => code === undefined)).toHaveLength(1);
  expect(codes.filter((code) => code === 'HANDLE_TAKEN')).toHaveLength(9);
  const winner = crowd[codes.indexOf(undefined)];
  expect(await app.dynamo.get(keys.handle(handle))).toMatchObject({ user: winner?.id });
  // The others still have their old handles.
  for (const [i, person] of crowd.entries()) {
    expect(await handleOf(person)).toBe(codes[i] === undefined ? handle : person.handle);
  }
});

test('updateProfile: leaves one handle after ten renames of one user at once', async () => {
  const [aki] = await people(app, 1);
  await aki.do(Me);
  const requested = Array.from({ length: 10 }, unique);
  const codes = await Promise.all(requested.map((handle) => rename(aki, handle)));
  expect(new Set(codes)).toEqual(new Set([undefined]));
  const current = await handleOf(aki);
  expect(requested).toContain(current);
  for (const handle of [aki.handle, ...requested]) {
    expect(await owner(aki, handle)).toBe(handle === current ? current : undefined);
  }
});

test('updateProfile: refuses two users who swap handles at once', async () => {
  const [aki, ben] = await people(app, 2);
  await Promise.all([aki.do(Me), ben.do(Me)]);
  const codes = await Promise.all([rename(aki, ben.handle), rename(ben, aki.handle)]);
  expect(codes).toEqual(['HANDLE_TAKEN', 'HANDLE_TAKEN']);
});

test('updateProfile: reserves a released handle for its last owner for 14 days', async () => {
  const [aki, ben] = await people(app, 2);
  const handle = unique();
  await rename(aki, handle);
  await rename(aki, unique());
  await ben.do(Me);
  expect(await owner(ben, handle)).toBeUndefined();
  expect(await rename(ben, handle)).toBe('HANDLE_TAKEN');
  expect(await rename(aki, handle)).toBeUndefined();
  expect(await owner(ben, handle)).toBe(handle);

  await rename(aki, null);
  expect(await handleOf(aki)).toBeNull();
  ahead = 13 * DAY;
  expect(await rename(ben, handle)).toBe('HANDLE_TAKEN');
  ahead = 15 * DAY;
  expect(await rename(ben, handle)).toBeUndefined();
  expect(await owner(aki, handle)).toBe(handle);
  expect(await rename(aki, handle)).toBe('HANDLE_TAKEN');
  ahead = 0;
});

test('updateProfile: keeps two released handles reserved for one user, and frees the oldest', async () => {
  const [aki, ben] = await people(app, 2);
  await ben.do(Me);
  const [first, second, third, fourth] = [unique(), unique(), unique(), unique()];
  await aki.do(Me);
  for (const handle of [first, second, third, fourth]) expect(await rename(aki, handle)).toBeUndefined();
  // Released: the handle of the token, the first, the second, the third.
  expect(await rename(ben, third)).toBe('HANDLE_TAKEN');
  expect(await rename(ben, second)).toBe('HANDLE_TAKEN');
  expect(await rename(ben, first)).toBeUndefined();
  // One that is taken again is not released, and does not count.
  expect(await rename(aki, second)).toBeUndefined();
  expect(await rename(ben, aki.handle)).toBeUndefined();
  expect(await rename(ben, third)).toBe('HANDLE_TAKEN');
  expect(await rename(ben, fourth)).toBe('HANDLE_TAKEN');
});

test.each([
  ['', { min: 3, max: 20 }, 3],
  ['ab', { min: 3, max: 20 }, 3],
  ['a'.repeat(21), { min: 3, max: 20 }, 20],
  ['a b c', {}, undefined],
  ['ａｋｉ', {}, undefined],
])(
  'updateProfile: the error about the handle %j has the bound that it exceeds',
  async (handle, bounds, limit) => {
    const [aki] = await people(app, 1);
    const { errors } = await aki.send(UpdateProfile, { input: { handle } });
    const field = 'input.handle';
    const message = '`input.handle` must have 3 to 20 of the characters a–z, 0–9 and _.';
    expect(errors?.[0]?.extensions).toEqual({
      code: 'BAD_USER_INPUT',
      field,
      fields: [{ field, message, ...bounds }],
      ...defined({ limit }),
    });
  },
);

test('updateProfile: changes a handle three times a day by default, also on several servers', async () => {
  const limited = await startTestApp({
    database: app.database,
    now: () => Date.now() + ahead,
    config: { rateLimits: { handles: RATE_LIMITS.handles ?? { max: 0, seconds: 0 } } },
  });
  onTestFinished(() => limited.stop());
  const aki = await newUser(limited);
  await aki.do(Me);
  for (let n = 0; n < 3; n++) expect(await rename(aki, unique())).toBeUndefined();
  const { errors } = await aki.send(UpdateProfile, { input: { handle: unique() } });
  const [error] = errors ?? [];
  expect(error?.extensions).toMatchObject({ code: 'RATE_LIMITED', retryAfterMs: expect.any(Number) });
  expect(JSON.stringify(error)).toMatch(/"retryAfterMs":8\d{7}\b/);
  // Other fields can be changed, and a refused handle changes nothing.
  expect(await aki.refused(UpdateProfile, { input: { displayName: 'Aki' } })).toBeUndefined();
  ahead = DAY;
  expect(await rename(aki, unique())).toBeUndefined();
  ahead = 0;
});

test.each([
  ...['everyone', 'HERE', 'channel', 'all', 'admin', 'system', 'moderator', 'owner', 'mod', 'bot', 'help'],
  ...['support', 'former_member', 'deleted', 'unknown', 'null', 'undefined', 'nobody', 'anonymous', 'tsudoi'],
  ...['Owners', 'mods', 'admins', 'admin_', '_admin', '__admins__', 'former__member'],
])('updateProfile: refuses the reserved word %s, and a token does not give it', async (word) => {
  const [aki] = await people(app, 1);
  await aki.do(Me);
  expect(await rename(aki, word)).toBe('BAD_USER_INPUT');
  const other = await app.as(word);
  expect((await other.do(Me)).viewer.user.handle).not.toBe(word.toLowerCase());
});
