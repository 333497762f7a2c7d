/** Handles are unique, and a released handle stays reserved for a while. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { Me, UpdateProfile, UserByHandle } from '../support/operations.ts';
import { type Person, people } from '../support/people.ts';

const DAY = 24 * 3600 * 1000;

let app: TestApp;
/** Milliseconds that the server's clock is ahead. */
let ahead = 0;
beforeAll(async () => {
  app = await startTestApp({ now: () => Date.now() + ahead });
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
  expect(codes.every((code) => code === undefined || code === 'UNAVAILABLE')).toBe(true);
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
