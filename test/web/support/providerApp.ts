/** A server whose users sign in at an identity provider, for browser tests. */
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { encodeId } from '../../../src/graphql/ids.ts';
import type { KeptSignIn } from '../../../web/src/provider/kept.ts';
import { buildWebClient } from '../../support/builds/webClient.ts';
import { complaintsOf } from '../../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../../support/clients/windows.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { CLIENT, type IdentityProvider, startIdentityProvider } from './identityProvider.ts';
import { composerOf } from './pages.ts';

export const account = (page: Page, name: string) =>
  page.getByRole('button', { name: new RegExp(`^${name}.*@${name.toLowerCase()}`) });
export const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in', exact: true });

/** On the provider's page. */
export async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Continue' }).click();
}

export async function signIn(page: Page, name: string): Promise<void> {
  await signInButton(page).click();
  await enter(page, name);
}

/** What the page keeps of the sign-in. */
export const keptIn = (page: Page): Promise<KeptSignIn | null> =>
  page.evaluate(`JSON.parse(localStorage.getItem('tsudoi:sign-in'))`);

/** As if its token had been made long ago: it is renewed when the page is loaded again. */
export async function beDue(page: Page): Promise<void> {
  const due = JSON.stringify({ ...(await keptIn(page)), madeAt: 0 });
  await page.evaluate(`localStorage.setItem('tsudoi:sign-in', ${JSON.stringify(due)})`);
}

const nameOf = (handle: string): string => handle.charAt(0).toUpperCase() + handle.slice(1);

/** The provider and the server of a `describe`. */
export function useProviderApp() {
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
          issuer: provider.url,
          clientId: CLIENT,
          scope: 'openid profile offline_access',
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
    await beDue(page);
    const isRenewed = Promise.all([provider.renewed(), page.waitForEvent('websocket')]);
    await page.reload();
    await isRenewed;
    await composerOf(page).waitFor();
  }

  /** A user in two tabs. */
  async function twoTabs(name: string) {
    const page = await window();
    await page.goto(app.url);
    await signIn(page, name);
    await account(page, nameOf(name)).waitFor();
    const second = await page.context().newPage();
    await second.goto(app.url);
    await account(second, nameOf(name)).waitFor();
    return { page, second };
  }

  return {
    get provider() {
      return provider;
    },
    get app() {
      return app;
    },
    startApp,
    window,
    complaintsIn,
    inRoom,
    withLife,
    twoTabs,
  };
}
