import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createClient } from '../support/clients/client.ts';
import { CreateRoom, Me, NodeById, UpdateProfile, UserByHandle } from '../support/clients/operations.ts';
import { newUser, people } from '../support/clients/people.ts';
import { SECRET, startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** A client with a token of these claims. */
async function signedIn(claims: Record<string, unknown>, sub = newId()) {
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setIssuedAt()
    .setExpirationTime('1 hour')
    .sign(new TextEncoder().encode(SECRET));
  return createClient(app.url, token);
}

const unique = () => `h_${newId().slice(0, 10)}`;

test('viewer: creates the profile from the token on the first request', async () => {
  const handle = unique();
  const aki = await signedIn({ preferred_username: handle.toUpperCase(), name: 'Aki 秋' });
  const { viewer } = await aki.do(Me);
  expect(viewer).toMatchObject({ locale: 'en', user: { handle, displayName: 'Aki 秋', avatarUrl: null } });
  expect((await aki.do(UserByHandle, { handle: handle.toUpperCase() })).user?.id).toBe(viewer.user.id);
  expect((await aki.do(NodeById, { id: viewer.user.id })).node?.id).toBe(viewer.user.id);
});

test('createRoom: works as the first request of a new user', async () => {
  const aki = await signedIn({ preferred_username: unique() });
  const { createRoom } = await aki.do(CreateRoom, { input: { name: 'At once', visibility: 'PUBLIC' } });
  expect(createRoom.room.viewerMembership?.role).toBe('OWNER');
});

test('viewer: creates one user for twenty first requests at once', async () => {
  const [handle, sub] = [unique(), newId()];
  const aki = await signedIn({ preferred_username: handle }, sub);
  const all = await Promise.all(Array.from({ length: 20 }, () => aki.do(Me)));
  expect(new Set(all.map(({ viewer }) => viewer.user.id)).size).toBe(1);
  expect(all.every(({ viewer }) => viewer.user.handle === handle)).toBe(true);
  expect(await app.dynamo.get(keys.handle(handle))).toMatchObject({ user: app.services.users.idOf(sub) });
});

test('viewer: gives a handle to one of ten new users whose tokens have it', async () => {
  const handle = unique();
  const all = await Promise.all(
    Array.from({ length: 10 }, async () => (await signedIn({ preferred_username: handle })).do(Me)),
  );
  const handles = all.map(({ viewer }) => viewer.user.handle);
  expect(handles.filter((one) => one === handle)).toHaveLength(1);
  expect(handles.filter((one) => one === null)).toHaveLength(9);
  expect(new Set(all.map(({ viewer }) => viewer.user.id)).size).toBe(10);
});

test.each([
  ['too short', 'ab', 'ab'],
  ['too long', 'a'.repeat(21), 'a'.repeat(21)],
  ['of another alphabet', 'あき', 'あき'],
  ['an e-mail address', 'aki@example.org', 'aki@example.org'],
  ['empty', '', 'Someone'],
  ['missing', undefined, 'Someone'],
  ['full of invisible characters', '\u0000a\u200bb\ud800\n', 'a\u200bb\ufffd'],
  ['full of controls of direction', '\u202eevil\u2066 a\u200fb', 'evil  a b'],
])('viewer: does not use a preferred_username that is %s as a handle', async (_, name, displayName) => {
  const claims = name === undefined ? {} : { preferred_username: name };
  const { viewer } = await (await signedIn(claims)).do(Me);
  expect(viewer.user).toMatchObject({ handle: null, displayName });
});

test('viewer: cuts a display name that is too long', async () => {
  const { viewer } = await (await signedIn({ name: '秋'.repeat(500) })).do(Me);
  expect(viewer.user.displayName).toBe('秋'.repeat(80));
});

test('updateProfile: changes given fields and removes null ones', async () => {
  const aki = await newUser(app);
  const before = (await aki.do(Me)).viewer.user;
  const input = { displayName: 'Aki', avatarUrl: 'https://example.org/aki.png', locale: 'JA-jp' };
  const { updateProfile } = await aki.do(UpdateProfile, { input });
  expect(updateProfile.user).toEqual({ ...before, displayName: 'Aki', avatarUrl: input.avatarUrl });
  expect((await aki.do(Me)).viewer.locale).toBe('ja-JP');

  await aki.do(UpdateProfile, { input: { avatarUrl: null, locale: null } });
  const { viewer } = await aki.do(Me);
  expect(viewer).toMatchObject({ locale: 'en', user: { ...before, displayName: 'Aki' } });

  await aki.do(UpdateProfile, { input: {} });
  expect((await aki.do(Me)).viewer).toEqual(viewer);
});

test.each([
  ['HTTPS://EXAMPLE.org:443/a/../b.png', 'https://example.org/b.png'],
  ['https://example.org', 'https://example.org/'],
  ['http://例え.jp/é', 'http://xn--r8jz45g.jp/%C3%A9'],
])('updateProfile: stores the address of a picture in its normal form: %s', async (avatarUrl, stored) => {
  const [aki] = await people(app, 1);
  const { updateProfile } = await aki.do(UpdateProfile, { input: { avatarUrl } });
  expect(updateProfile.user.avatarUrl).toBe(stored);
});

test.each(['\u2800', '\u202e\u2066', '\u200b\u2060'])(
  'viewer: does not use a name of only invisible characters (%j)',
  async (name) => {
    const { viewer } = await (await signedIn({ name })).do(Me);
    expect(viewer.user.displayName).toBe('Someone');
  },
);

test('updateProfile: keeps concurrent changes of different fields', async () => {
  const [aki] = await people(app, 1);
  await aki.do(Me);
  await Promise.all([
    aki.do(UpdateProfile, { input: { locale: 'de' } }),
    aki.do(UpdateProfile, { input: { avatarUrl: 'https://example.org/a' } }),
    aki.do(UpdateProfile, { input: { displayName: 'Changed' } }),
  ]);
  expect((await aki.do(Me)).viewer).toMatchObject({
    locale: 'de',
    user: { displayName: 'Changed', avatarUrl: 'https://example.org/a' },
  });
});

const VISIBLE = '`input.displayName` must have at least one visible character.';

test.each([
  ['handle', 'ab', undefined],
  ['handle', 'a'.repeat(21), undefined],
  ['handle', 'with space', undefined],
  ['handle', 'aki#1', undefined],
  ['handle', '', undefined],
  ['displayName', '', 1],
  ['displayName', ' \u00a0\u3000', 1],
  ['displayName', '\u200b\u2060\ufe0f', 1],
  ['displayName', '\u2800\u{1d159}\ufff9', 1],
  ['displayName', 'evil\u202etxt', undefined],
  ['displayName', '\u2066isolated\u2069', undefined],
  ['displayName', 'two\nlines', undefined],
  ['displayName', 'NUL\u0000', undefined],
  ['displayName', 'half \ud83d', undefined],
  ['displayName', 'x'.repeat(81), 80],
  ['displayName', null, undefined],
  ['avatarUrl', 'nowhere', undefined],
  ['avatarUrl', 'javascript:alert(1)', undefined],
  ['avatarUrl', 'https://example.org@evil.example/a.png', undefined],
  ['avatarUrl', 'https://:secret@example.org/a.png', undefined],
  ['avatarUrl', `https://example.org/${'é'.repeat(1_000)}`, undefined],
  ['avatarUrl', 'data:image/png;base64,AAAA', undefined],
  ['avatarUrl', `https://example.org/${'x'.repeat(2_048)}`, 2_048],
  ['locale', 'no_locale!', undefined],
  ['locale', '', undefined],
  ['locale', `en-${'x'.repeat(40)}`, 35],
])('updateProfile: refuses an invalid %s (%#)', async (field, value, limit) => {
  const aki = await newUser(app);
  const before = (await aki.do(Me)).viewer;
  const { data, errors } = await aki.send(UpdateProfile, { input: { [field]: value } });
  expect(data).toEqual({ updateProfile: null });
  expect(errors?.[0]?.extensions).toEqual({
    code: 'BAD_USER_INPUT',
    field: `input.${field}`,
    ...(limit === undefined ? {} : { limit }),
    fields: [expect.objectContaining({ field: `input.${field}` })],
  });
  if (limit === 1) expect(errors?.[0]?.message).toContain(VISIBLE);
  expect((await aki.do(Me)).viewer).toEqual(before);
});
