import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { buildWebClient } from '../support/builds/webClient.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../support/clients/windows.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { CLIENT, type IdentityProvider, startIdentityProvider } from './support/identityProvider.ts';
import { comesTo, message } from './support/pages.ts';

/** All that this browser keeps of rooms, with the name of their user. */
const KEPT = `(async () => {
  let text = '';
  for (const name of await caches.keys()) {
    if (!name.startsWith('tsudoi:rooms:')) continue;
    const cache = await caches.open(name);
    for (const entry of await cache.keys()) text += (await (await cache.match(entry))?.text()) ?? '';
  }
  return text;
})()`;

/** As if someone else had been signed in before. */
const KEEP_OTHERS = `(async () => {
  const cache = await caches.open('tsudoi:rooms:another');
  await cache.put('/offline/owner', new Response(JSON.stringify({ viewer: 'Of another' })));
})()`;

/** The server refuses the token, and it has to be renewed. */
const END_TOKEN = `(() => {
  const kept = JSON.parse(localStorage.getItem('tsudoi:sign-in'));
  localStorage.setItem('tsudoi:sign-in', JSON.stringify({ ...kept, token: 'over', madeAt: 0 }));
})()`;

/** After everything that the page has begun to delete. */
const CHANGES_DONE = 'caches.keys().then(() => caches.keys())';

describe.skipIf(!browserAvailable)('web, a sign-in that ended without a sign-out', () => {
  const browser = useBrowser();
  let provider: IdentityProvider;
  let app: TestApp;

  beforeAll(async () => {
    provider = await startIdentityProvider();
    app = await startTestApp({
      webClientDir: await buildWebClient(),
      config: {
        auth: { kind: 'jwks', url: provider.jwksUrl, issuer: provider.url, audience: CLIENT },
        signIn: { issuer: provider.url, clientId: CLIENT, scope: 'openid profile offline_access' },
      },
    });
    provider.allow(app.url);
  });
  afterAll(async () => {
    await app?.stop();
    await provider?.stop();
  });

  async function signIn(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByLabel('Your name').fill(name);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: new RegExp(`@${name}`) }).waitFor();
  }

  it('ends deliveries to the former user', async () => {
    const page = await freshWindow(browser(), {});
    await page.goto(app.url);
    await signIn(page, 'noa');
    await page.evaluate(`localStorage.setItem('tsudoi:push', '{"user":"another","id":"one"}')`);
    await page.reload();
    await comesTo(() => page.evaluate("localStorage.getItem('tsudoi:push')"), null);
  });

  it('leaves nothing of rooms to the next user, and everything to the same one', async () => {
    const page = await freshWindow(browser(), { serviceWorkers: 'allow' });
    await page.goto(app.url);
    await signIn(page, 'aya');
    const { users, rooms, messages } = app.services;
    const author = (await users.byHandle('aya')) ?? '';
    const made = { name: 'Secrets', topic: null, visibility: 'PRIVATE', capacity: null } as const;
    const { id: room } = await rooms.create(author, made);
    await messages.send({ author, room, body: 'The code is 4711' });
    const path = `/rooms/${encodeURIComponent(encodeId('Room', room))}`;
    await page.goto(`${app.url}${path}`);
    await message(page, 'The code is 4711').waitFor();
    const keeps = (text: string, is: boolean) =>
      comesTo(async () => (await page.evaluate<string>(KEPT)).includes(text), is);
    await keeps('4711', true);

    // The provider does not answer, so it may still be the same user who comes back.
    provider.isAway = true;
    await page.evaluate(END_TOKEN);
    await page.reload();
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    expect(await page.evaluate<string>(KEPT)).toContain('4711');
    expect(await page.getByText('4711').count()).toBe(0);

    // It is the same user. No room is open, so none is kept again.
    provider.isAway = false;
    const signInAgain = async (name: string) => {
      await page.context().clearCookies();
      await page.goto(`${app.url}/settings`);
      await page.getByRole('button', { name: /@aya/ }).waitFor();
      await page.evaluate(KEEP_OTHERS);
      await page.evaluate("localStorage.removeItem('tsudoi:sign-in')");
      await page.reload();
      await signIn(page, name);
      // What is kept of others is deleted once it is known who it is.
      await keeps('Of another', false);
    };
    await signInAgain('aya');
    expect(await page.evaluate<string>(KEPT)).toContain('4711');

    // It is someone else.
    await signInAgain('bo');
    await keeps('4711', false);
    await keeps('aya', false);
  });

  it('leaves nothing of rooms if a renewal was put off, and is then refused', async () => {
    const page = await freshWindow(browser(), { serviceWorkers: 'allow' });
    await page.goto(app.url);
    await signIn(page, 'rin');
    const { users, rooms, messages } = app.services;
    const author = (await users.byHandle('rin')) ?? '';
    const made = { name: 'Cellar', topic: null, visibility: 'PRIVATE', capacity: null } as const;
    const { id: room } = await rooms.create(author, made);
    await messages.send({ author, room, body: 'The code is 4712' });
    await page.goto(`${app.url}/rooms/${encodeURIComponent(encodeId('Room', room))}`);
    const keeps = (is: boolean) =>
      comesTo(async () => (await page.evaluate<string>(KEPT)).includes('4712'), is);
    await keeps(true);
    const { renewals } = provider;
    await provider.revoke();
    provider.putOff();
    await page.goto(`${app.url}/settings`);
    await page.getByRole('button', { name: /@rin/ }).waitFor();
    await page.evaluate(END_TOKEN);
    const responses: number[] = [];
    page.on('response', (response) => {
      if (response.url().endsWith('/token')) responses.push(response.status());
    });
    await page.reload();
    await page.getByText('Your sign-in has ended.').waitFor();
    await keeps(false);
    expect(responses).toEqual([429, 400]);
    expect(provider.renewals).toBe(renewals);
  });

  it.each(['cut', 'held'] as const)(
    'leaves the rooms to the same user if the response to a renewal is %s, and not if it is refused',
    async (how) => {
      const page = await freshWindow(browser(), { serviceWorkers: 'allow' });
      await page.goto(app.url);
      const name = `mio${how}`;
      await signIn(page, name);
      const { users, rooms, messages } = app.services;
      const author = (await users.byHandle(name)) ?? '';
      const made = { name: 'Attic', topic: null, visibility: 'PRIVATE', capacity: null } as const;
      const { id: room } = await rooms.create(author, made);
      await messages.send({ author, room, body: 'The code is 4713' });
      const path = `/rooms/${encodeURIComponent(encodeId('Room', room))}`;
      const keeps = (is: boolean) =>
        comesTo(async () => (await page.evaluate<string>(KEPT)).includes('4713'), is);
      await page.goto(`${app.url}${path}`);
      await keeps(true);

      const over = page.getByText('Your sign-in has ended.');
      provider.loseResponse(how);
      await page.evaluate(END_TOKEN);
      const renewed = provider.renewed();
      await page.reload();
      await renewed;
      // The page is left while it waits for the response.
      if (how === 'held') await page.reload();
      await over.waitFor();
      await page.evaluate(CHANGES_DONE);
      expect(await page.evaluate<string>(KEPT)).toContain('4713');
      // At the provider they are still signed in.
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await message(page, 'The code is 4713').waitFor();

      await provider.revoke();
      await page.goto(`${app.url}/settings`);
      await page.getByRole('button', { name: new RegExp(`@${name}`) }).waitFor();
      expect(await page.evaluate<string>(KEPT)).toContain('4713');
      await page.evaluate(END_TOKEN);
      await page.reload();
      await over.waitFor();
      await keeps(false);
    },
  );
});
