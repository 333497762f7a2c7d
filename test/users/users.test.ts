import { SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defined } from '../../src/core/defined.ts';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createClient } from '../support/clients/client.ts';
import { CreateRoom, Me, NodeById, UpdateProfile, UserByHandle } from '../support/clients/operations.ts';
import { newUser, people } from '../support/clients/people.ts';
import { SECRET, startTestApp, type TestApp } from '../support/servers/app.ts';
import { SetZone, ZoneOf } from './support/zones.ts';

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

test('viewer: gives different handles to ten new users whose tokens have the same', async () => {
  const handle = unique();
  const all = await Promise.all(
    Array.from({ length: 10 }, async () => (await signedIn({ preferred_username: handle })).do(Me)),
  );
  const handles = all.map(({ viewer }) => viewer.user.handle ?? '');
  expect(new Set(handles).size).toBe(10);
  expect(handles).toContain(handle);
  expect(handles.every((one) => one.startsWith(handle.slice(0, 10)))).toBe(true);
  expect(new Set(all.map(({ viewer }) => viewer.user.id)).size).toBe(10);
});

test.each([
  ['has a dot', 'john.doe', /^john_doe(_\w+)?$/, 'john.doe'],
  ['is an e-mail address', 'john.doe@example.org', /^john_doe(_\w+)?$/, 'john_doe'],
  ['is an address of an intranet', 'Zoé.Ø@host', /^zoe(_\w+)?$/, 'zoe'],
  ['is too short', 'ab', /^ab_\w+$/, 'ab'],
  ['is too long', 'a'.repeat(21), /^a{14,20}(_\w+)?$/, 'a'.repeat(21)],
  ['is of another alphabet', 'あき', /^user_[a-z0-9]{5,15}$/, 'あき'],
  ['is a reserved word', 'Admin', /^admin_\w+$/, 'Admin'],
  ['is nearly a reserved word', '_Owners_', /^owners_\w+$/, '_Owners_'],
  ['is an e-mail address in full-width characters', 'ｊｏｈｎ＠ｂ．ｃｏｍ', /^john(_\w+)?$/, 'john'],
  ['is empty', '', null, 'Someone'],
  ['is missing', undefined, null, 'Someone'],
  ['is full of invisible characters', '\u0000a\u200bb\ud800\n', /^a_b(_\w+)?$/, 'a\u200bb\ufffd'],
  ['is full of controls of direction', '\u202eevil\u2066 a\u200fb', /^evil_a_b(_\w+)?$/, 'evil  a b'],
])('viewer: makes a handle of a preferred_username that %s', async (_, name, handle, displayName) => {
  const claims = name === undefined ? {} : { preferred_username: name };
  const { viewer } = await (await signedIn(claims)).do(Me);
  expect(viewer.user.displayName).toBe(displayName);
  if (handle === null) expect(viewer.user.handle).toBeNull();
  else expect(viewer.user.handle).toMatch(handle);
});

test('viewer: an e-mail address never becomes a name, and the picture and the language are taken', async () => {
  const aki = await signedIn({
    name: 'Aki <aki@example.org>',
    preferred_username: 'aki@example.org',
    picture: 'HTTPS://EXAMPLE.org/aki.png',
    locale: 'ja_jp',
  });
  const { viewer } = await aki.do(Me);
  expect(JSON.stringify(viewer)).not.toContain('@');
  expect(viewer).toMatchObject({ locale: 'ja-JP', user: { avatarUrl: 'https://example.org/aki.png' } });
  const ben = await signedIn({ picture: 'javascript:alert(1)', locale: 'no locale!', name: 'Ben' });
  expect((await ben.do(Me)).viewer).toMatchObject({
    locale: 'en',
    user: { avatarUrl: null, displayName: 'Ben' },
  });
});

test('viewer: cuts a display name that is too long', async () => {
  const { viewer } = await (await signedIn({ name: '秋'.repeat(500) })).do(Me);
  expect(viewer.user.displayName).toBe('秋'.repeat(80));
});

test('updateProfile: sets the time zone as the IANA database writes it, for everyone to see, and removes it', async () => {
  const [aki, ben] = await people(app, 2);
  const zoneSeenByBen = async () => (await ben.do(ZoneOf, { handle: aki.handle })).user?.timeZone;
  expect((await aki.do(SetZone, { timeZone: 'asia/tokyo' })).updateProfile?.user.timeZone).toBe('Asia/Tokyo');
  expect(await zoneSeenByBen()).toBe('Asia/Tokyo');
  for (const timeZone of ['Mars/Olympus', '+09:00', '', 'a'.repeat(65)]) {
    const { errors } = await aki.send(SetZone, { timeZone });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'input.timeZone' });
  }
  expect(await zoneSeenByBen()).toBe('Asia/Tokyo');
  await aki.do(SetZone, { timeZone: null });
  expect(await zoneSeenByBen()).toBeNull();
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

test('updateProfile: a name loses outer white space', async () => {
  const aki = await newUser(app);
  const { updateProfile } = await aki.do(UpdateProfile, { input: { displayName: ' \u3000Aki 秋\u00a0 ' } });
  expect(updateProfile.user.displayName).toBe('Aki 秋');
});

const VISIBLE = '`input.displayName` must have at least one visible character.';

test.each([
  ['handle', 'ab', 3],
  ['handle', 'a'.repeat(21), 20],
  ['handle', 'with space', undefined],
  ['handle', 'aki#1', undefined],
  ['handle', '', 3],
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
    ...defined({ limit }),
    fields: [expect.objectContaining({ field: `input.${field}` })],
  });
  if (limit === 1) expect(errors?.[0]?.message).toContain(VISIBLE);
  expect((await aki.do(Me)).viewer).toEqual(before);
});
