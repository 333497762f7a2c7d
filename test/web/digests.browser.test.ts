/** From the choice of a digest to its end: a real mail server, and the page that a link in a mail opens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MailServer, startMailServer } from '../delivery/support/mailServer.ts';
import { bearer, newSubject } from '../revocations/support/sessions.ts';
import { browserAvailable, complaintsOf } from '../support/clients/browser.ts';
import { SECRET } from '../support/clients/tokens.ts';
import { freshWindow, useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { findings } from './support/axe.ts';
import { startWeb } from './support/pages.ts';
import { delay, held, operationOf } from './support/requests.ts';

const SETTINGS = '/settings/notifications';

describe.skipIf(!browserAvailable)('web, digests', () => {
  const browser = useBrowser();
  let app: TestApp;
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer({ startTls: false });
    const auth = { kind: 'secret', secret: SECRET, issuer: undefined, audience: undefined } as const;
    app = await startWeb({ timersMs: 200, config: { mail: server.config(), auth } });
  });
  afterAll(async () => {
    await app?.stop();
    await server?.stop();
  });

  /** A new person at their settings, with a token that has these claims. */
  async function open(claims: Record<string, unknown>, look: Parameters<typeof freshWindow>[1] = {}) {
    const sub = newSubject();
    const page = await freshWindow(browser(), look);
    const complaints = complaintsOf(page, app.url);
    const signIn = async (said: Record<string, unknown>) => {
      const token = (await bearer(sub, said)).slice('Bearer '.length);
      await page.goto(`${app.url}/healthz`);
      await page.evaluate(`sessionStorage.setItem('tsudoi:token', ${JSON.stringify(token)})`);
      await page.goto(`${app.url}${SETTINGS}`);
    };
    await signIn(claims);
    return { page, complaints, signIn, settings: () => app.services.deliverySettings.read(idOf(sub)) };
  }
  const idOf = (sub: string) => app.services.users.idOf(sub);
  const verified = (email: string) => ({ email, email_verified: true });

  it('a digest is chosen, a test arrives, and the link in it ends them by its button', async () => {
    const { page, complaints, settings } = await open(verified('aki@example.org'));
    await page.getByLabel('How often').selectOption('Once an hour at most');
    await page.getByText('Mails go to aki@example.org.').waitFor();
    expect((await settings()).emailDigest).toBe('HOURLY');
    const before = server.mails.length;
    const said = page.getByText('A test is on its way to aki@example.org.').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await said;
    const mail = (await server.arrived(before + 1)).at(-1);
    expect(mail?.to).toEqual(['aki@example.org']);
    const [, link = ''] = /^<(.+)>$/.exec(mail?.headers.get('list-unsubscribe') ?? '') ?? [];

    await page.goto(link);
    expect(await findings(page)).toEqual([]);
    expect((await settings()).emailDigest).toBe('HOURLY');
    await page.getByRole('button', { name: 'Stop the mails' }).click();
    await page.getByRole('heading', { name: 'That address gets no more mails' }).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await settings()).toMatchObject({ emailDigest: 'NEVER', email: null });
    await page.getByRole('link', { name: 'Open the settings' }).click();
    expect(await page.getByLabel('How often').inputValue()).toBe('NEVER');
    expect(complaints).toEqual([]);
  });

  it('without a verified address it says so, and finds one after the next sign-in', async () => {
    const { page, complaints, signIn } = await open({ email: 'ben@example.org', email_verified: false });
    await page.getByLabel('How often').selectOption('Once a day at most');
    await page.getByText('your account has no verified address').waitFor();
    const said = page.getByText('Your account still has no verified address.').waitFor();
    await page.getByRole('button', { name: 'Look for an address again' }).click();
    await said;
    await signIn(verified('ben@example.org'));
    await page.getByRole('button', { name: 'Look for an address again' }).click();
    await page.getByText('Mails go to ben@example.org.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('looking for an address keeps what was chosen and is not saved yet', async () => {
    const { page, complaints, settings } = await open({ email: 'dan@example.org', email_verified: false });
    await page.getByLabel('How often').selectOption('Once an hour at most');
    const look = page.getByRole('button', { name: 'Look for an address again' });
    await look.waitFor();
    const { promise, letGo } = held();
    await delay(page, 'UpdateDeliverySettings', promise);
    const sent = page.waitForRequest((request) => operationOf(request) === 'UpdateDeliverySettings');
    await page.getByLabel('How often').selectOption('Once a day at most');
    await sent;
    const said = page.getByText('Your account still has no verified address.').waitFor();
    await look.click();
    await page.getByLabel('How often').selectOption({ index: 1 });
    letGo();
    await said;
    expect((await settings()).emailDigest).toBe('MINUTES_15');
    expect(await page.getByLabel('How often').inputValue()).toBe('MINUTES_15');
    expect(complaints).toEqual([]);
  });

  it('an address that the mail server refused is shown', async () => {
    const { page, settings } = await open(verified('gone@example.org'));
    server.reply('recipient', (to) => (to.startsWith('gone') ? { code: 550, text: '5.1.1 unknown' } : 'ok'));
    await page.getByLabel('How often').selectOption('Once an hour at most');
    await page.getByRole('button', { name: 'Send a test' }).click();
    await eventually(async () => expect((await settings()).emailRefusedAt).not.toBeNull());
    await page.reload();
    await page.getByText('Your mail server refused your address').waitFor();
    expect(await page.getByLabel('How often').inputValue()).toBe('NEVER');
  });

  it.each([
    ['en-GB', { width: 1280, height: 1600 }, 'light', 'E-mail'],
    ['ja-JP', { width: 360, height: 740 }, 'dark', 'メール'],
  ] as const)('the section has no axe findings: %s', async (locale, viewport, colorScheme, heading) => {
    const look = { locale, viewport, colorScheme, reducedMotion: 'reduce' } as const;
    const { page, complaints } = await open(
      verified('a.rather.long.address.of.someone@mail.example.org'),
      look,
    );
    const section = page.getByRole('region', { name: heading, exact: true });
    await section.getByRole('combobox').selectOption({ index: 1 });
    await section.getByText('@mail.example.org').waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width);
    expect(complaints).toEqual([]);
  });
});
