/** Later changes at the identity provider are taken over, unless the user changed that field here. */
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createUsers, type Users } from '../../src/users/users.ts';
import { createClient } from '../support/clients/client.ts';
import { Me, UpdateProfile } from '../support/clients/operations.ts';
import { SECRET, startTestApp, type TestApp } from '../support/servers/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.stop());

const NOW_S = Math.floor(Date.now() / 1_000);

/** A client with a token of these claims, issued at a second. */
async function signedIn(sub: string, claims: Record<string, unknown>, issuedAt = 0) {
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sub)
    .setIssuedAt(NOW_S + issuedAt)
    .setExpirationTime('1 hour')
    .sign(new TextEncoder().encode(SECRET));
  return createClient(app.url, token);
}

const unique = () => `h_${newId().slice(0, 10)}`;

describe('viewer:', () => {
  test('name, picture, language and handle follow newer tokens', async () => {
    const [sub, first, second] = [newId(), unique(), unique()];
    const before = {
      preferred_username: first,
      name: 'Aki',
      picture: 'https://example.org/1.png',
      locale: 'en',
    };
    await (await signedIn(sub, before)).do(Me);
    const after = {
      preferred_username: second,
      name: 'Aki 秋',
      picture: 'https://example.org/2.png',
      locale: 'ja',
    };
    const { viewer } = await (await signedIn(sub, after, 1)).do(Me);
    expect(viewer).toMatchObject({
      locale: 'ja',
      user: { handle: second, displayName: 'Aki 秋', avatarUrl: 'https://example.org/2.png' },
    });
    // The old handle stays reserved for the user.
    expect(await app.dynamo.get(keys.handle(first))).toMatchObject({ user: app.services.users.idOf(sub) });
    // A token from before does not bring the old values back, also after a restart of the server.
    expect((await (await signedIn(sub, before)).do(Me)).viewer).toEqual(viewer);
    await anotherServer().ensure({ sub, handle: first, name: 'Aki', issuedAt: NOW_S });
    expect((await (await signedIn(sub, after, 1)).do(Me)).viewer).toEqual(viewer);
  });

  test('a field that its user changed here stays, and the others follow', async () => {
    const [sub, handle] = [newId(), unique()];
    const aki = await signedIn(sub, { preferred_username: handle, name: 'Aki', locale: 'en' });
    await aki.do(UpdateProfile, { input: { displayName: 'Mine' } });
    const [second, own] = [unique(), unique()];
    const later = await signedIn(sub, { preferred_username: second, name: 'Theirs', locale: 'ja' }, 1);
    expect((await later.do(Me)).viewer).toMatchObject({
      locale: 'ja',
      user: { handle: second, displayName: 'Mine' },
    });
    await later.do(UpdateProfile, { input: { handle: own, locale: null } });
    const third = {
      preferred_username: unique(),
      name: 'Others',
      locale: 'de',
      picture: 'https://example.org/3.png',
    };
    expect((await (await signedIn(sub, third, 2)).do(Me)).viewer).toMatchObject({
      locale: 'en',
      user: { handle: own, displayName: 'Mine', avatarUrl: 'https://example.org/3.png' },
    });
  });

  test('a token that says nothing of a field, or nothing usable, leaves it as it is', async () => {
    const [sub, handle] = [newId(), unique()];
    const claims = {
      preferred_username: handle,
      name: 'Aki',
      picture: 'https://example.org/1.png',
      locale: 'ja',
    };
    const { viewer } = await (await signedIn(sub, claims)).do(Me);
    const others = [
      {},
      { name: 'a@b.example' },
      { name: 'ａ＠ｂ.ｃｏｍ' },
      { picture: 'javascript:alert(1)', locale: '!' },
      { name: '\u2800' },
    ];
    for (const [i, other] of others.entries()) {
      expect((await (await signedIn(sub, other, i + 1)).do(Me)).viewer).toEqual(viewer);
    }
  });

  test('another token of the same second is taken over once, on all servers', async () => {
    const [sub, first, second] = [newId(), unique(), unique()];
    const before = { preferred_username: first, name: 'Aki' };
    const after = { preferred_username: second, name: 'Aki 秋' };
    const expected = { handle: second, displayName: 'Aki 秋' };
    const user = async (claims: Record<string, unknown>, at = 0) =>
      (await (await signedIn(sub, claims, at)).do(Me)).viewer.user;
    await user(before);
    expect(await user(after)).toMatchObject(expected);
    // A device that still has the first token does not bring the old name back, on no server.
    expect(await user(before)).toMatchObject(expected);
    await anotherServer().ensure({ sub, handle: first, name: 'Aki', issuedAt: NOW_S });
    await anotherServer().ensure({ sub, handle: second, name: 'Aki 秋', issuedAt: NOW_S });
    expect(await user(before)).toMatchObject(expected);
    // The next second says it again.
    expect(await user(before, 1)).toMatchObject({ handle: first, displayName: 'Aki' });
    // Two servers see two tokens of one second in either order.
    const [one, other] = [anotherServer(), anotherServer()];
    const tokens = ['Left', 'Right'].map((name) => ({ sub, handle: first, name, issuedAt: NOW_S + 2 }));
    for (const token of tokens) await one.ensure(token);
    const { displayName } = await user({}, 2);
    for (const token of tokens.toReversed()) await other.ensure(token);
    expect((await user({}, 2)).displayName).toBe(displayName);
  });

  test('two servers that take over different tokens of one second at once remember both', async () => {
    for (let round = 0; round < 10; round++) {
      const sub = newId();
      const tokenOf = (name: string) => ({ sub, handle: 'aki', name, issuedAt: NOW_S });
      const servers = [anotherServer(), anotherServer()];
      for (const server of servers) await server.ensure(tokenOf('Before'));
      const names = ['Left', 'Right'];
      await Promise.all(names.map((name, i) => servers[i]?.ensure(tokenOf(name))));
      const key = keys.user(app.services.users.idOf(sub));
      const after = await app.dynamo.get(key);
      expect(names).toContain(after?.displayName);
      const third = anotherServer();
      for (const name of names) await third.ensure(tokenOf(name));
      expect(await app.dynamo.get(key)).toEqual(after);
    }
  });

  test('in a profile of an earlier release a handle that was reserved later follows', async () => {
    const [sub, handle, other] = [newId(), unique(), unique()];
    const id = await anotherServer().ensure({ sub, handle, name: 'Aki', issuedAt: NOW_S - 2 });
    const before = { user: id, ...keys.handle('staff'), v: 1 };
    await app.dynamo.put(before);
    await app.dynamo.update(keys.user(id), {
      update: 'SET handle = :staff REMOVE tokenSaid, tokenAt, tokenFields, tokenHandle',
      values: { ':staff': 'staff' },
    });
    await anotherServer().ensure({ sub, handle: 'staff', name: 'Aki', issuedAt: NOW_S - 1 });
    expect(await app.dynamo.get(keys.user(id))).toMatchObject({ handle: 'staff' });
    await anotherServer().ensure({ sub, handle: other, name: 'Aki', issuedAt: NOW_S });
    expect(await app.dynamo.get(keys.user(id))).toMatchObject({ handle: other });
  });

  test('a handle that is reserved in this release stays, although a token asks for it', async () => {
    const [sub, handle] = [newId(), unique()];
    const id = await anotherServer().ensure({ sub, handle, name: 'Aki', issuedAt: NOW_S - 1 });
    await app.dynamo.update(keys.user(id), {
      update: 'SET handle = :mod, tokenHandle = :mod REMOVE tokenSaid',
      values: { ':mod': 'mod' },
    });
    const later = await signedIn(sub, { preferred_username: 'mod', name: 'Aki 2' });
    expect((await later.do(Me)).viewer.user).toMatchObject({ handle: 'mod', displayName: 'Aki 2' });
  });

  test('of more tokens of one second than are remembered, each is taken over at most once, on all servers', async () => {
    const sub = newId();
    const id = await anotherServer().ensure({ sub, handle: unique(), name: 'First', issuedAt: NOW_S });
    const item = () => app.dynamo.get(keys.user(id));
    const tokens = Array.from({ length: 12 }, (_, n) => ({ sub, name: `Name ${n}`, issuedAt: NOW_S }));
    const inTurn = async (users: Users) => {
      for (const token of tokens) await users.ensure(token);
    };
    const server = anotherServer();
    await inTurn(server);
    const after = await item();
    // The first one is remembered as well.
    expect(after).toMatchObject({ displayName: 'Name 6', tokenSaid: { length: 8 } });
    for (const users of [server, server, anotherServer(), anotherServer()]) await inTurn(users);
    await anotherServer().ensure({ sub, name: 'First', issuedAt: NOW_S });
    expect(await item()).toEqual(after);
    // The next second is another one, on a server that knows the user, too.
    await server.ensure({ sub, name: 'Name 11', issuedAt: NOW_S + 1 });
    expect(await item()).toMatchObject({ displayName: 'Name 11', tokenSaid: { length: 2 } });
    await inTurn(server);
    expect(await item()).toMatchObject({ displayName: 'Name 11', tokenSaid: { length: 2 } });
  });

  test.each([
    'ａｋｉ＠ｅｘａｍｐｌｅ．ｏｒｇ',
    'aki﹫example.org',
    'あき＠example.org',
    'ａｄｍｉｎ＠example.org',
    'ａｂ＠ｅｘａｍｐｌｅ．ｏｒｇ',
  ])('the address %s as preferred_username does not change the handle at each sign-in', async (address) => {
    // Someone else has the first choice.
    await (await signedIn(newId(), { preferred_username: address })).do(Me);
    const sub = newId();
    const { viewer } = await (await signedIn(sub, { preferred_username: address })).do(Me);
    expect(viewer.user.handle).toMatch(/^[a-z0-9_]{3,20}$/);
    expect(viewer.user.handle).not.toContain('example');
    for (const at of [1, 2, 3]) {
      const later = await (await signedIn(sub, { preferred_username: address, name: `Aki ${at}` }, at)).do(
        Me,
      );
      expect(later.viewer.user).toEqual({ ...viewer.user, displayName: `Aki ${at}` });
    }
    await anotherServer().ensure({ sub, handle: address, name: 'Aki 4', issuedAt: NOW_S + 4 });
    expect(await app.dynamo.get(keys.user(app.services.users.idOf(sub)))).toMatchObject({
      handle: viewer.user.handle,
      displayName: 'Aki 4',
    });
  });

  test('a name in another script gets a handle, although others have those with parts of the id', async () => {
    const sub = newId();
    const id = app.services.users.idOf(sub);
    for (const length of [5, 15]) {
      await (await signedIn(newId(), { preferred_username: `user_${id.slice(0, length)}` })).do(Me);
    }
    const name = { preferred_username: 'あき' };
    const { viewer } = await (await signedIn(sub, name)).do(Me);
    expect(viewer.user.handle).toMatch(/^user_[0-9a-z]{15}$/);
    expect(viewer.user.handle).not.toContain(id.slice(0, 5));
    const later = await (await signedIn(sub, { ...name, name: 'Later' }, 1)).do(Me);
    expect(later.viewer.user).toEqual({ ...viewer.user, displayName: 'Later' });
  });

  test('the handle of a name in another script stays the same, and so does that of a reserved word', async () => {
    for (const name of ['あき', 'Admin']) {
      const sub = newId();
      const { viewer } = await (await signedIn(sub, { preferred_username: name })).do(Me);
      const later = await signedIn(sub, { preferred_username: name, name: 'Later' }, 1);
      expect((await later.do(Me)).viewer.user).toEqual({ ...viewer.user, displayName: 'Later' });
    }
  });

  test('the same preferred_username as another user does not change the handle at each sign-in', async () => {
    const handle = unique();
    await (await signedIn(newId(), { preferred_username: handle })).do(Me);
    const sub = newId();
    const { viewer } = await (await signedIn(sub, { preferred_username: handle, name: 'Ben' })).do(Me);
    expect(viewer.user.handle).not.toBe(handle);
    const again = await (await signedIn(sub, { preferred_username: handle, name: 'Ben 2' }, 1)).do(Me);
    expect(again.viewer.user).toEqual({ ...viewer.user, displayName: 'Ben 2' });
    // A new one that another user has as well.
    const taken = unique();
    await (await signedIn(newId(), { preferred_username: taken })).do(Me);
    const { viewer: later } = await (await signedIn(sub, { preferred_username: taken }, 2)).do(Me);
    expect(later.user.handle).toMatch(new RegExp(`^${taken.slice(0, 14)}`));
    expect(later.user.handle).not.toBe(taken);
  });

  test('in a profile of an earlier release the fields that are as the token says follow', async () => {
    const [sub, handle] = [newId(), unique()];
    const id = await anotherServer().ensure({ sub, handle, name: 'Aki', locale: 'en', issuedAt: NOW_S - 1 });
    await app.dynamo.update(keys.user(id), {
      update: 'SET displayName = :own REMOVE tokenAt, tokenFields, tokenHandle',
      values: { ':own': 'Mine' },
    });
    const claims = { preferred_username: handle, name: 'Aki', locale: 'en' };
    await (await signedIn(sub, claims)).do(Me);
    expect(await app.dynamo.get(keys.user(id))).toMatchObject({ displayName: 'Mine' });
    const second = unique();
    const later = await signedIn(sub, { preferred_username: second, name: 'Other', locale: 'ja' }, 1);
    expect((await later.do(Me)).viewer).toMatchObject({
      locale: 'ja',
      user: { handle: second, displayName: 'Mine' },
    });
  });
});

const anotherServer = (handleLimit?: { max: number; seconds: number }): Users =>
  createUsers({
    dynamo: app.dynamo,
    timestamps: createTimestamps(),
    ...(handleLimit ? { handleLimit } : {}),
  });

test('ensure: a user who changes the name at the provider too often keeps the handle, and the rest follows', async () => {
  const users = anotherServer({ max: 1, seconds: 3_600 });
  const sub = newId();
  const id = await users.ensure({ sub, handle: unique(), issuedAt: 1 });
  const second = unique();
  await users.ensure({ sub, handle: second, name: 'Two', issuedAt: 2 });
  const third = unique();
  await users.ensure({ sub, handle: third, name: 'Three', issuedAt: 3 });
  expect(await app.dynamo.get(keys.user(id))).toMatchObject({ handle: second, displayName: 'Three' });
  // The first token after that time that says the same.
  await anotherServer({ max: 2, seconds: 3_600 }).ensure({ sub, handle: third, issuedAt: 4 });
  expect(await app.dynamo.get(keys.user(id))).toMatchObject({ handle: third });
});
