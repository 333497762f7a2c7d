import { describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { comesTo, composerOf, message } from './support/pages.ts';
import { account, beDue, keptIn, useProviderApp } from './support/providerApp.ts';
import { held, operationOf } from './support/requests.ts';

describe.skipIf(!browserAvailable)('web, renewal of a sign-in at an identity provider', () => {
  const at = useProviderApp();
  const { window, complaintsIn, inRoom, withLife, twoTabs } = at;

  it('renews the token before it ends, and goes on with it: requests and events', async () => {
    const page = await window();
    const complaints = complaintsIn(page);
    const { owner, room } = await inRoom(page, 'dana');
    await withLife(page, 5);
    const socket = page.waitForEvent('websocket');
    await Promise.all([at.provider.renewed(), socket]);
    await at.app.services.messages.send({ author: owner, room, body: 'To the second socket' });
    await message(page, 'To the second socket').waitFor();
    await at.provider.renewed();
    await composerOf(page).fill('With the third token');
    await composerOf(page).press('Enter');
    await message(page, 'With the third token').waitFor();
    expect(complaints()).toEqual([]);
  });

  it('renews once for all tabs', async () => {
    const { page, second } = await twoTabs('emi');
    const before = at.provider.renewals;
    const first = await keptIn(page);
    await beDue(page);
    await Promise.all([page.reload(), second.reload()]);
    for (const tab of [page, second]) {
      await account(tab, 'Emi').waitFor();
      await comesTo(async () => (await keptIn(tab))?.token === first?.token, false);
      const asked = tab.waitForRequest((request) => operationOf(request) === 'Directory');
      await tab.getByRole('button', { name: 'Browse rooms' }).click();
      const { authorization } = (await asked).headers();
      expect(authorization).toBe(`Bearer ${(await keptIn(tab))?.token}`);
    }
    expect(at.provider.renewals - before).toBe(1);
  });

  it('renews once for all tabs also if the provider returns the same token', async () => {
    const { page, second } = await twoTabs('kei');
    const before = at.provider.renewals;
    const first = await keptIn(page);
    await beDue(page);
    const gate = held();
    await page.context().route(`${at.provider.url}/token`, async (route) => {
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
    expect(at.provider.renewals - before).toBe(1);
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
    await page.route(`${at.provider.url}/token`, async (route) => {
      const response = await route.fetch();
      if (++responses > 1) return route.fulfill({ response });
      const tokens = (await response.json()) as object;
      await gate.promise;
      await route.fulfill({ response, json: { ...tokens, id_token: before?.idToken } });
    });
    await at.provider.renewed();
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
});
