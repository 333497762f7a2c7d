import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { CLIENT } from './support/identityProvider.ts';
import { comesTo, composerOf, message } from './support/pages.ts';
import {
  account,
  beDue,
  enter,
  keptIn,
  signIn,
  signInButton,
  useProviderApp,
} from './support/providerApp.ts';
import { held, operationOf } from './support/requests.ts';
import { heading } from './support/rooms.ts';

const AUDIENCE = 'https://chat.example.com/api';

describe.skipIf(!browserAvailable)('web, sign-in at an identity provider', () => {
  const at = useProviderApp();
  const { window, complaintsIn, inRoom, withLife, twoTabs } = at;

  it('opens what was asked for, without the code in the address or the history; a new tab is signed in', async () => {
    const page = await window();
    const complaints = complaintsIn(page);
    await page.goto(`${at.app.url}/settings?from=link#profile`);
    await signInButton(page).waitFor();
    expect(await findings(page)).toEqual([]);
    const visited: string[] = [];
    page.on('framenavigated', (frame) => visited.push(frame.url()));
    await signIn(page, 'aki');
    await heading(page, 'Settings');
    expect(page.url()).toBe(`${at.app.url}/settings?from=link#profile`);
    expect(visited.some((url) => url.includes('/sign-in?code='))).toBe(true);
    await account(page, 'Aki').waitFor();

    const second = await page.context().newPage();
    await second.goto(at.app.url);
    await account(second, 'Aki').waitFor();
    await page.reload();
    await account(page, 'Aki').waitFor();
    await page.goBack();
    expect(page.url()).not.toContain('code=');
    expect(complaints()).toEqual([]);
  });

  it('sends an access token if the server accepts tokens for another audience', async () => {
    const other = await at.startApp(AUDIENCE);
    try {
      at.provider.allow(other.url);
      const page = await window();
      await page.goto(other.url);
      await signIn(page, 'chie');
      await page.getByRole('button', { name: 'Account' }).waitFor();
      const kept = await keptIn(page);
      expect(JSON.parse(Buffer.from(kept?.token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
        aud: AUDIENCE,
        sub: 'chie',
      });
    } finally {
      at.provider.allow(at.app.url);
      await other.stop();
    }
  });

  it('keeps the provider with the page, for the time without the server', async () => {
    const page = await window({ serviceWorkers: 'allow' });
    await page.goto(at.app.url);
    await signIn(page, 'nao');
    await account(page, 'Nao').waitFor();
    const kept = `caches.match('/', { cacheName: 'tsudoi:page' }).then((page) => page?.text() ?? '')`;
    await comesTo(async () => (await page.evaluate<string>(kept)).includes(CLIENT), true);
    await page.reload();
    await account(page, 'Nao').waitFor();
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
    await at.provider.revoke();
    await page.getByRole('alert').getByText('Your sign-in has ended.').waitFor();
    expect(await findings(page)).toEqual([]);
    at.provider.life = 3_600;
    await page.unrouteAll();
    // The provider still knows the user.
    await signInButton(page).click();
    await composerOf(page).waitFor();
    expect(page.url()).toBe(`${at.app.url}${path}`);
    expect(await composerOf(page).inputValue()).toBe('Not sent yet');
    await message(page, 'Sent, and not received').waitFor();
  });

  it('asks to sign in again when the token is over and the provider is away, and goes on when it is back', async () => {
    const page = await window();
    const { path } = await inRoom(page, 'goro');
    await withLife(page, 5);
    at.provider.isAway = true;
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    await signInButton(page).click();
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    at.provider.isAway = false;
    at.provider.life = 3_600;
    await page.reload();
    await composerOf(page).waitFor();
    expect(page.url()).toBe(`${at.app.url}${path}`);
  });

  it('signs out everywhere: no other device renews its token', async () => {
    const [page, device] = [await window(), await window()];
    for (const one of [page, device]) {
      await one.goto(`${at.app.url}/settings`);
      await signIn(one, 'hana');
      await heading(one, 'Settings');
    }
    const before = at.provider.renewals;
    await page.getByText('Sessions at your identity provider stay open.').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await device.getByRole('alert').getByText('Your sign-in has ended.').waitFor();
    expect(at.provider.renewals).toBe(before);
  });

  it('signs out in all tabs, and at the provider', async () => {
    const page = await window();
    const complaints = complaintsIn(page);
    await page.goto(at.app.url);
    await signIn(page, 'iori');
    await account(page, 'Iori').waitFor();
    const second = await page.context().newPage();
    await second.goto(at.app.url);
    const kept = await keptIn(second);
    const before = at.provider.revocations;
    await account(second, 'Iori').click();
    await second.getByRole('menuitem', { name: 'Sign out' }).click();
    await signInButton(page).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await comesTo(async () => at.provider.revocations - before, 1);
    await second.getByRole('button', { name: 'Yes, sign me out' }).click();
    await signInButton(second).waitFor();
    expect(second.url()).toBe(`${at.app.url}/`);
    expect(await keptIn(second)).toEqual({ signedOut: kept?.id });
    // As someone else, in both.
    await signIn(second, 'jun');
    for (const tab of [second, page]) await account(tab, 'Jun').waitFor();
    expect(complaints()).toEqual([]);
  });

  it.each(['out', 'out and in again'])(
    'signs %s while another tab renews: the new refresh token is ended',
    async (how) => {
      const { page, second } = await twoTabs('rei');
      const kept = await keptIn(page);
      await beDue(page);
      const gate = held();
      let issued: string | undefined;
      await page.route(`${at.provider.url}/token`, async (route) => {
        const response = await route.fetch();
        ({ refresh_token: issued } = (await response.json()) as { refresh_token?: string });
        await gate.promise;
        await route.fulfill({ response });
      });
      await Promise.all([at.provider.renewed(), page.reload()]);
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
      const ended = page.waitForRequest(`${at.provider.url}/token/revocation`);
      gate.letGo();
      const token = new URLSearchParams((await ended).postData() ?? '').get('token');
      expect(token).not.toBe(kept?.refreshToken);
      expect(token).toBe(issued);
    },
  );

  it('signs out also if what is kept of the provider is damaged', async () => {
    const page = await window();
    await page.goto(at.app.url);
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
    const forged = `${at.app.url}/sign-in?code=stolen&state=forged`;
    await page.goto(forged);
    await page.getByRole('alert').getByText('begun in another tab').waitFor();
    expect(page.url()).toBe(`${at.app.url}/`);
    await signInButton(page).click();
    await page.getByLabel('Your name').waitFor();
    // Also if this tab has begun one.
    await page.goto(forged);
    await page.getByRole('alert').getByText('begun in another tab').waitFor();
    await signIn(page, 'kana');
    await account(page, 'Kana').waitFor();
    await page.goto(forged);
    await account(page, 'Kana').waitFor();
    expect(page.url()).toBe(`${at.app.url}/`);
  });

  it('says that the user has not signed in, and opens what was asked for after the next attempt', async () => {
    const page = await window({ locale: 'ja-JP' });
    await page.goto(`${at.app.url}/settings`);
    await page.getByRole('button', { name: 'サインイン' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('alert').getByText('サインインが完了しなかったか').waitFor();
    expect(page.url()).toBe(`${at.app.url}/settings`);
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
    await page.goto(at.app.url);
    await signIn(page, 'mio');
    await page.getByRole('alert').getByText('this server doesn’t accept it').waitFor();
    expect(await findings(page)).toEqual([]);
  });
});

/** The first frame of each websocket of the page, which has its token. */
function firstFramesOf(page: Page): () => readonly string[] {
  const sent: string[] = [];
  page.on('websocket', (socket) => {
    socket.once('framesent', ({ payload }) => sent.push(String(payload)));
  });
  return () => sent;
}
