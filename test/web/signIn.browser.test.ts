import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import type { KeptSignIn } from '../../web/src/provider/kept.ts';
import { buildWebClient } from '../support/builds/webClient.ts';
import { browserAvailable, complaintsOf } from '../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../support/clients/windows.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { CLIENT, type IdentityProvider, startIdentityProvider } from './support/identityProvider.ts';
import { comesTo, composerOf, message } from './support/pages.ts';
import { held, operationOf } from './support/requests.ts';
import { heading } from './support/rooms.ts';

const AUDIENCE = 'https://chat.example.com/api';

const account = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}.*@${name.toLowerCase()}`) });
const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

/** On the provider's page. */
async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

async function signIn(page: Page, name: string): Promise<void> {
  await signInButton(page).click();
  await enter(page, name);
}

describe.skipIf(!browserAvailable)('web, sign-in at an identity provider', () => {
  const browser = useBrowser();
  let provider: IdentityProvider;
  let app: TestApp;

  const startApp = async (audience: string): Promise<TestApp> =>
    startTestApp({
      webClientDir: await buildWebClient(),
      revocationsMs: 500,
      config: {
        auth: { kind: 'jwks', url: provider.jwksUrl, issuer: provider.url, audience },
        signIn: {
          ...{ issuer: provider.url, clientId: CLIENT, scope: 'openid profile offline_access' },
          ...(audience === CLIENT ? {} : { audience }),
        },
      },
    });

  const window = (options: BrowserContextOptions = {}) => freshWindow(browser(), options);

  beforeAll(async () => {
    provider = await startIdentityProvider();
    app = await startApp(CLIENT);
    provider.allow(app.url);
  });
  afterAll(async () => {
    await app?.stop();
    await provider?.stop();
  });
  beforeEach(() => {
    provider.life = 3_600;
    provider.isAway = false;
  });

  /** Nothing goes wrong in the page, and it sends requests to the provider only. */
  const complaintsIn = (page: Page): (() => readonly string[]) => {
    const complaints = complaintsOf(page, app.url);
    return () => complaints.filter((complaint) => !complaint.startsWith(`requested ${provider.url}/`));
  };

  it('opens what was asked for, without the code in the address or the history; a new tab is signed in', async () => {
    const page = await window();
    const complaints = complaintsIn(page);
    await page.goto(`${app.url}/settings?from=link#profile`);
    await signInButton(page).waitFor();
    expect(await findings(page)).toEqual([]);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await signIn(page, 'aki');
    await heading(page, 'Settings');
    expect(page.url()).toBe(`${app.url}/settings?from=link#profile`);
    expect(visited.some((url) => url.includes('/sign-in?code='))).toBe(true);
    await account(page, 'Aki').waitFor();

    const second = await page.context().newPage();
    await second.goto(app.url);
    await account(second, 'Aki').waitFor();
    await page.reload();
    await account(page, 'Aki').waitFor();
    await page.goBack();
    expect(page.url()).not.toContain('code=');
    expect(complaints()).toEqual([]);
  });

  /** Signs in and opens a new room. */
  async function inRoom(page: Page, name: string) {
    await page.goto(app.url);
    await signIn(page, name);
    await account(page, nameOf(name)).waitFor();
    const { users, rooms } = app.services;
    const owner = (await users.byHandle(name)) ?? '';
    const made = { name: `Room of ${name}`, topic: null, visibility: 'PUBLIC', capacity: null } as const;
    const { id } = await rooms.create(owner, made);
    const path = `/rooms/${encodeURIComponent(encodeId('Room', id))}`;
    await page.goto(`${app.url}${path}`);
    await composerOf(page).waitFor();
    return { owner, room: id, path };
  }

  /** Gives the page a token with this life, in seconds, by a renewal: no navigation can interrupt the next one. */
  async function withLife(page: Page, life: number): Promise<void> {
    provider.life = life;
    const kept = await keptIn(page);
    await page.evaluate(
      `localStorage.setItem('tsudoi:sign-in', ${JSON.stringify(JSON.stringify({ ...kept, madeAt: 0 }))})`,
    );
    const isRenewed = Promise.all([provider.renewed(), page.waitForEvent('websocket')]);
    await page.reload();
    await isRenewed;
    await composerOf(page).waitFor();
  }

  it('sends an access token if the server accepts tokens for another audience', async () => {
    const other = await startApp(AUDIENCE);
    try {
      provider.allow(other.url);
      const page = await window();
      await page.goto(other.url);
      await signIn(page, 'chie');
      await page.getByRole('button', { name: 'Account' }).waitFor();
      const kept = await keptIn(page);
      expect(JSON.parse(Buffer.from(kept?.token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
        ...{ aud: AUDIENCE, sub: 'chie' },
      });
    } finally {
      provider.allow(app.url);
      await other.stop();
    }
  });

  it('renews the token before it ends, and goes on with it: requests and events', async () => {
    const page = await window();
    const complaints = complaintsIn(page);
    const { owner, room } = await inRoom(page, 'dana');
    await withLife(page, 5);
    const socket = page.waitForEvent('websocket');
    await Promise.all([provider.renewed(), socket]);
    await app.services.messages.send({ author: owner, room, body: 'To the second socket' });
    await message(page, 'To the second socket').waitFor();
    await provider.renewed();
    await composerOf(page).fill('With the third token');
    await composerOf(page).press('Enter');
    await message(page, 'With the third token').waitFor();
    expect(complaints()).toEqual([]);
  });

  it('keeps the provider with the page, for the time without the server', async () => {
    const page = await window({ serviceWorkers: 'allow' });
    await page.goto(app.url);
    await signIn(page, 'nao');
    await account(page, 'Nao').waitFor();
    const kept = `caches.match('/', { cacheName: 'tsudoi:page' }).then((page) => page?.text() ?? '')`;
    await comesTo(async () => (await page.evaluate<string>(kept)).includes(CLIENT), true);
    await page.reload();
    await account(page, 'Nao').waitFor();
  });

  it('renews once for all tabs', async () => {
    const page = await window();
    await page.goto(app.url);
    await signIn(page, 'emi');
    await account(page, 'Emi').waitFor();
    const second = await page.context().newPage();
    await second.goto(app.url);
    await account(second, 'Emi').waitFor();

    const before = provider.renewals;
    const first = await keptIn(page);
    await page.evaluate(
      `localStorage.setItem('tsudoi:sign-in', ${JSON.stringify(JSON.stringify({ ...first, madeAt: 0 }))})`,
    );
    await Promise.all([page.reload(), second.reload()]);
    for (const tab of [page, second]) {
      await account(tab, 'Emi').waitFor();
      await comesTo(async () => (await keptIn(tab))?.token === first?.token, false);
      const asked = tab.waitForRequest((request) => operationOf(request) === 'Directory');
      await tab.getByRole('button', { name: 'Browse rooms' }).click();
      const { authorization } = (await asked).headers();
      expect(authorization).toBe(`Bearer ${(await keptIn(tab))?.token}`);
    }
    expect(provider.renewals - before).toBe(1);
  });

  it('renews once for all tabs also if the provider returns the same token', async () => {
    const page = await window();
    await page.goto(app.url);
    await signIn(page, 'kei');
    await account(page, 'Kei').waitFor();
    const second = await page.context().newPage();
    await second.goto(app.url);
    await account(second, 'Kei').waitFor();

    const before = provider.renewals;
    const first = await keptIn(page);
    await page.evaluate(
      `localStorage.setItem('tsudoi:sign-in', ${JSON.stringify(JSON.stringify({ ...first, madeAt: 0 }))})`,
    );
    const gate = held();
    await page.context().route(`${provider.url}/token`, async (route) => {
      const response = await route.fetch();
      const tokens = (await response.json()) as object;
      await gate.promise;
      await route.fulfill({ response, json: { ...tokens, id_token: first?.idToken } });
    });
    await Promise.all([page.reload(), second.reload()]);
    /** How many tabs renew it, and how many wait for that. */
    const renewing = () =>
      page.evaluate<string>(
        `navigator.locks.query().then(({ held, pending }) =>
          [held, pending].map((locks) => locks.filter(({ name }) => name === 'tsudoi:sign-in').length).join())`,
      );
    await comesTo(renewing, '1,1');
    gate.letGo();
    await comesTo(renewing, '0,0');
    expect(provider.renewals - before).toBe(1);
    const kept = await keptIn(second);
    expect(kept).toMatchObject({ token: first?.token, renewals: 1 });
    expect(kept?.refreshToken).not.toBe(first?.refreshToken);
  });

  it('asks again if the provider has returned the same token just before it ended', async () => {
    const page = await window();
    await inRoom(page, 'sae');
    await withLife(page, 5);
    const before = await keptIn(page);
    const gate = held();
    let responses = 0;
    await page.route(`${provider.url}/token`, async (route) => {
      const response = await route.fetch();
      if (++responses > 1) return route.fulfill({ response });
      const tokens = (await response.json()) as object;
      await gate.promise;
      await route.fulfill({ response, json: { ...tokens, id_token: before?.idToken } });
    });
    await provider.renewed();
    const status = () =>
      page.evaluate<number>(
        `fetch('/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: 'Bearer ${before?.token}' },
          body: JSON.stringify({ query: '{ viewer { id } }' }),
        }).then(({ status }) => status)`,
      );
    await comesTo(status, 401);
    const refused = page.waitForResponse(
      (response) => operationOf(response.request()) === 'SendMessage' && response.status() === 401,
    );
    await composerOf(page).fill('After its token had ended');
    await composerOf(page).press('Enter');
    await refused;
    gate.letGo();
    await message(page, 'After its token had ended').waitFor();
    await comesTo(async () => (await keptIn(page))?.token === before?.token, false);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('asks to sign in again if the provider refuses the refresh token, and keeps drafts and unsent messages', async () => {
    const page = await window();
    const { path } = await inRoom(page, 'fumi');
    await withLife(page, 5);
    await page.route('**/graphql', (route) =>
      operationOf(route.request()) === 'SendMessage' ? route.abort() : route.fallback(),
    );
    await composerOf(page).fill('Sent, and not received');
    await composerOf(page).press('Enter');
    await page.getByText('Sent, and not received').waitFor();
    await composerOf(page).fill('Not sent yet');
    await provider.revoke();
    await page.getByRole('alert').getByText('Your sign-in has ended.').waitFor();
    expect(await findings(page)).toEqual([]);
    provider.life = 3_600;
    await page.unrouteAll();
    // The provider still knows the user.
    await signInButton(page).click();
    await composerOf(page).waitFor();
    expect(page.url()).toBe(`${app.url}${path}`);
    expect(await composerOf(page).inputValue()).toBe('Not sent yet');
    await message(page, 'Sent, and not received').waitFor();
  });

  it('asks to sign in again when the token is over and the provider is away, and goes on when it is back', async () => {
    const page = await window();
    const { path } = await inRoom(page, 'goro');
    await withLife(page, 5);
    provider.isAway = true;
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    await signInButton(page).click();
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    provider.isAway = false;
    provider.life = 3_600;
    await page.reload();
    await composerOf(page).waitFor();
    expect(page.url()).toBe(`${app.url}${path}`);
  });

  it('signs out everywhere: no other device renews its token', async () => {
    const [page, device] = [await window(), await window()];
    for (const one of [page, device]) {
      await one.goto(`${app.url}/settings`);
      await signIn(one, 'hana');
      await heading(one, 'Settings');
    }
    const before = provider.renewals;
    await page.getByText('Sessions at your identity provider stay open.').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await device.getByRole('alert').getByText('Your sign-in has ended.').waitFor();
    expect(provider.renewals).toBe(before);
  });

  it('signs out in all tabs, and at the provider', async () => {
    const page = await window();
    const complaints = complaintsIn(page);
    await page.goto(app.url);
    await signIn(page, 'iori');
    await account(page, 'Iori').waitFor();
    const second = await page.context().newPage();
    await second.goto(app.url);
    const kept = await keptIn(second);
    const before = provider.revocations;
    await account(second, 'Iori').click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInButton(page).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await comesTo(async () => provider.revocations - before, 1);
    await second.getByRole('button', { name: 'Yes, sign me out' }).click();
    await signInButton(second).waitFor();
    expect(second.url()).toBe(`${app.url}/`);
    expect(await keptIn(second)).toEqual({ signedOut: kept?.id });
    // As someone else, in both.
    await signIn(second, 'jun');
    for (const tab of [second, page]) await account(tab, 'Jun').waitFor();
    expect(complaints()).toEqual([]);
  });

  it.each(['out', 'out and in again'])(
    'signs %s while another tab renews: the new refresh token is ended',
    async (how) => {
      const page = await window();
      await page.goto(app.url);
      await signIn(page, 'rei');
      await account(page, 'Rei').waitFor();
      const second = await page.context().newPage();
      await second.goto(app.url);
      await account(second, 'Rei').waitFor();
      const kept = await keptIn(page);
      await page.evaluate(
        `localStorage.setItem('tsudoi:sign-in', ${JSON.stringify(JSON.stringify({ ...kept, madeAt: 0 }))})`,
      );
      const gate = held();
      let issued: string | undefined;
      await page.route(`${provider.url}/token`, async (route) => {
        const response = await route.fetch();
        ({ refresh_token: issued } = (await response.json()) as { refresh_token?: string });
        await gate.promise;
        await route.fulfill({ response });
      });
      await Promise.all([provider.renewed(), page.reload()]);
      await account(page, 'Rei').waitFor();
      await account(second, 'Rei').click();
      await second.getByRole('menuitem', { name: 'Sign out' }).click();
      await signInButton(page).waitFor();
      await second.getByRole('button', { name: 'Yes, sign me out' }).click();
      await signInButton(second).waitFor();
      if (how !== 'out') {
        await signIn(second, 'rei');
        await account(second, 'Rei').waitFor();
      }
      const ended = page.waitForRequest(`${provider.url}/token/revocation`);
      gate.letGo();
      const token = new URLSearchParams((await ended).postData() ?? '').get('token');
      expect(token).not.toBe(kept?.refreshToken);
      expect(token).toBe(issued);
    },
  );

  it('signs out also if what is kept of the provider is damaged', async () => {
    const page = await window();
    await page.goto(app.url);
    await signIn(page, 'sora');
    await account(page, 'Sora').waitFor();
    const damaged = JSON.stringify({ ...(await keptIn(page)), revocation: 'none', endSession: 'none' });
    await page.evaluate(`localStorage.setItem('tsudoi:sign-in', ${JSON.stringify(damaged)})`);
    await page.reload();
    await account(page, 'Sora').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInButton(page).waitFor();
  });

  it('refuses a code with another state, and leaves those alone who are signed in', async () => {
    const page = await window();
    const forged = `${app.url}/sign-in?code=stolen&state=forged`;
    await page.goto(forged);
    await page.getByRole('alert').getByText('begun in another tab').waitFor();
    expect(page.url()).toBe(`${app.url}/`);
    await signInButton(page).click();
    await page.getByLabel('Your name').waitFor();
    // Also if this tab has begun one.
    await page.goto(forged);
    await page.getByRole('alert').getByText('begun in another tab').waitFor();
    await signIn(page, 'kana');
    await account(page, 'Kana').waitFor();
    await page.goto(forged);
    await account(page, 'Kana').waitFor();
    expect(page.url()).toBe(`${app.url}/`);
  });

  it('says that the user has not signed in, and opens what was asked for after the next attempt', async () => {
    const page = await window({ locale: 'ja-JP' });
    await page.goto(`${app.url}/settings`);
    await page.getByRole('button', { name: 'サインイン' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('サインインが完了しなかったか').waitFor();
    expect(page.url()).toBe(`${app.url}/settings`);
    expect(await findings(page)).toEqual([]);
    await page.getByRole('button', { name: 'サインイン' }).click();
    await enter(page, 'leo');
    await heading(page, '設定');
  });

  it('takes what another tab has kept when the page wakes up', async () => {
    const page = await window();
    const sent = firstFramesOf(page);
    await inRoom(page, 'oto');
    const kept = await keptIn(page);
    await comesTo(async () => sent().at(-1)?.includes(`Bearer ${kept?.token}"`), true);
    // In the page itself no event says so, as in one that was suspended.
    const renewed = JSON.stringify({ ...kept, token: `${kept?.token}x` });
    await page.evaluate(`localStorage.setItem('tsudoi:sign-in', ${JSON.stringify(renewed)})`);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await comesTo(async () => sent().some((first) => first.includes(`Bearer ${kept?.token}x"`)), true);
  });

  it('says that the server does not accept who has signed in', async () => {
    const page = await window();
    await page.route('**/graphql', (route) =>
      route.fulfill({
        status: 401,
        json: { errors: [{ message: '', extensions: { code: 'UNAUTHENTICATED' } }] },
      }),
    );
    await page.goto(app.url);
    await signIn(page, 'mio');
    await page.getByRole('alert').getByText('this server doesn’t accept it').waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

const nameOf = (handle: string): string => handle.charAt(0).toUpperCase() + handle.slice(1);

/** The first frame of each websocket of the page, which has its token. */
function firstFramesOf(page: Page): () => readonly string[] {
  const sent: string[] = [];
  page.on('websocket', (socket) => {
    socket.once('framesent', ({ payload }) => sent.push(String(payload)));
  });
  return () => sent;
}

/** What the page keeps of the sign-in. */
const keptIn = (page: Page): Promise<KeptSignIn | null> =>
  page.evaluate(`JSON.parse(localStorage.getItem('tsudoi:sign-in'))`);
