import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { comesTo, hasFocus, message, open, startWeb } from './support/pages.ts';
import { answered, delay, held, operationOf, refuse } from './support/requests.ts';

/** The longest wait of a page between two failed requests. */
const LONGEST_WAIT_MS = 5_000;

describe.skipIf(!browserAvailable)('web, failed requests', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('requests: are sent again after a failure, automatically or on request (link, header, list, invite, script)', async () => {
    const { page, openRoom, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'ben',
      fresh: {},
    });
    const unavailable = { code: 'UNAVAILABLE' };
    await openRoom('Lobby');
    const id = await message(page, 'The kettle is on').getAttribute('data-message');

    for (const operation of ['FindMessage', 'Room']) {
      const allow = await refuse(page, operation, unavailable);
      const refused = answered(page, operation);
      await page.goto(`${new URL(page.url()).origin}${roomOf(page)}/messages/${id}`);
      await refused;
      await allow();
      await message(page, 'The kettle is on').waitFor();
      await page.getByRole('heading', { level: 1, name: 'Lobby' }).waitFor();
    }

    let allow = await refuse(page, 'Directory', unavailable);
    await page.getByRole('button', { name: 'Browse rooms' }).click();
    const rooms = page.getByRole('dialog', { name: 'Browse rooms' });
    await rooms.getByRole('alert').getByText('Try again in a moment.').waitFor();
    await allow();
    await rooms.getByRole('button', { name: 'Try again' }).click();
    await rooms.getByRole('button', { name: 'Open Lobby' }).waitFor();
    await page.keyboard.press('Escape');
    await rooms.waitFor({ state: 'detached' });

    allow = await refuse(page, 'JoinWithInvite', unavailable);
    await page.goto(`${app.url}/invite/no-such-invite`);
    await page.getByRole('button', { name: 'Accept invitation' }).click();
    await page.getByRole('alert').getByText('Try again in a moment.').waitFor();
    await allow();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor();
    expect(complaints).toEqual([]);

    let isRefused = true;
    // The route stays: a request that arrives while it is removed could wait forever.
    await page.route(/\/assets\/CreateRoom-/, (route) => (isRefused ? route.abort() : route.continue()));
    const failed = page.waitForEvent('requestfailed', (request) => request.url().includes('/CreateRoom-'));
    await page.getByRole('button', { name: 'Create room' }).click();
    await failed;
    isRefused = false;
    await page.getByRole('dialog', { name: 'Create room' }).waitFor();
  });

  it.each(['RATE_LIMITED', 'UNAVAILABLE', 'OFFLINE'])(
    'delivery settings: say why they cannot be read (%s), and are read again without a press',
    async (code) => {
      const path = '/settings';
      const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'ben', path });
      const link = page.getByRole('main').getByRole('link', { name: 'Notification settings' });
      await link.waitFor();
      const allow = await refuse(page, 'DeliverySettings', { code });
      await link.click();
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
      await allow();
      await page.getByRole('heading', { name: 'Pause' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(complaints.filter((complaint) => !complaint.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([]);
    },
  );

  it('delivery settings: presses of “Try again” begin one read, which ends with the page', async () => {
    const path = '/settings';
    const { page } = await open({ browser: browser(), url: app.url, as: 'ben', path, fresh: {} });
    const link = page.getByRole('main').getByRole('link', { name: 'Notification settings' });
    await link.waitFor();
    let requests = 0;
    page.on('request', (request) => {
      if (operationOf(request) === 'DeliverySettings') requests++;
    });
    const failed = () =>
      page.waitForEvent('requestfailed', (request) => operationOf(request) === 'DeliverySettings');
    // Nothing is sent again by itself, except when the test lets the time pass.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    const allow = await refuse(page, 'DeliverySettings', { code: 'OFFLINE' });
    await link.click();
    const again = page.getByRole('alert').getByRole('button', { name: 'Try again' });
    await again.waitFor();

    const answer = held();
    await delay(page, 'DeliverySettings', answer.promise);
    let refused = failed();
    await again.press('Enter');
    await comesTo(() => again.isDisabled(), true);
    expect(await hasFocus(again)).toBe(true);
    await again.press('Enter');
    answer.letGo();
    await refused;
    for (let press = 0; press < 3; press++) {
      await comesTo(() => again.isDisabled(), false);
      refused = failed();
      await again.press('Enter');
      await refused;
    }
    await comesTo(() => again.isDisabled(), false);
    expect(requests).toBe(5);
    refused = failed();
    await page.clock.runFor(LONGEST_WAIT_MS);
    await refused;
    await comesTo(() => again.isDisabled(), false);

    await page.goBack();
    await link.waitFor();
    await page.clock.runFor(LONGEST_WAIT_MS);
    await allow();
    await link.click();
    // Reads follow one another, so this one is the last.
    await page.getByRole('heading', { name: 'Pause' }).waitFor();
    expect(requests).toBe(7);
  });

  it('unread line: is removed if the server refuses to mark a message as unread', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Tea');
    const line = page.getByRole('log').getByText('New', { exact: true });
    const row = message(page, 'hojicha');
    await row.waitFor();
    const answer = held();
    const allow = await refuse(page, 'MarkRoomUnread', { code: 'UNAVAILABLE', before: answer.promise });
    await row.press('u');
    await line.waitFor();
    answer.letGo();
    await page.getByRole('status').getByText('Try again in a moment.').waitFor();
    await line.waitFor({ state: 'detached' });
    await allow();
    await row.press('u');
    await line.waitFor();
    expect(complaints).toEqual([]);
  });

  it('room page: is read by two requests, one for its messages and one for its header', async () => {
    const { messages, rooms, users } = app.services;
    const [aki, ben] = [users.idOf('aki'), users.idOf('ben')];
    const made = { name: 'Pantry', topic: null, visibility: 'PUBLIC', capacity: null } as const;
    const { id: room } = await rooms.create(ben, made);
    await rooms.join(aki, room);
    const { page, openRoom } = await open({ browser: browser(), url: app.url, as: 'aki' });
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'POST') return;
      const { operationName } = request.postDataJSON() as { operationName?: string };
      if (/^(Open)?Room/.test(operationName ?? '')) requests.push(operationName ?? '');
    });
    await openRoom('Pantry');
    await messages.send({ room, author: ben, body: 'It is live.' });
    // It arrives by the subscription, once that is live.
    await message(page, 'It is live.').waitFor();
    expect(requests).toEqual(['OpenRoom', 'Room']);
  });
});

/** The path of the open room. */
const roomOf = (page: Page): string => /^\/rooms\/[^/]+/.exec(new URL(page.url()).pathname)?.[0] ?? '';
