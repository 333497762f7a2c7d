import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { useInputMethod } from './support/inputMethod.ts';
import { comesTo, composerOf, hasFocus, message, open, startWeb } from './support/pages.ts';
import { answered, delay, held, refuse } from './support/requests.ts';

/** A time zone in which it is between twelve and one o'clock, so that midnight is far away. */
const whereItIsNoon = () => {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
};

describe.skipIf(!browserAvailable)('web, writing', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('composer: leaves Enter to an input method while it composes, and completes mentions by keyboard', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    const field = composerOf(page, 'Lobby');
    await field.focus();
    const input = await useInputMethod(page);
    await input.compose('にほんご');
    await input.press('Enter');
    expect(await field.inputValue()).toBe('にほんご');
    await input.commit('日本語');
    // Safari sends the key that chose a word after the composition has ended.
    await input.press('Enter', 'processed');
    expect(await field.inputValue()).toBe('日本語');
    await input.press('Enter');
    await message(page, '日本語').waitFor();

    await field.pressSequentially('Ask @');
    const people = page.getByRole('listbox', { name: 'Suggestions' });
    await people.getByRole('option').nth(2).waitFor();
    expect(await findings(page)).toEqual([]);
    const chosen = people.getByRole('option', { selected: true });
    const first = await chosen.textContent();
    await field.press('ArrowDown');
    expect(await chosen.textContent()).not.toBe(first);
    await field.press('ArrowUp');
    expect(await chosen.textContent()).toBe(first);
    await field.pressSequentially('b');
    await comesTo(() => chosen.textContent(), 'BOBen Okafor@ben');
    // Text typed before the next frame is added after the name as well.
    await page.evaluate(`
      window.held = { late: [], request: requestAnimationFrame };
      requestAnimationFrame = (draw) => held.late.push(draw);
    `);
    await field.press('Enter');
    await people.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('Ask @ben ');
    await field.pressSequentially('tomo');
    await page.evaluate(
      'requestAnimationFrame = held.request; for (const draw of held.late) draw(performance.now())',
    );
    await field.pressSequentially('rrow');
    await field.press('Enter');
    await message(page, 'Ask @Ben Okafor tomorrow').getByTitle('@ben').waitFor();
    expect(complaints).toEqual([]);
  });

  it('people: leaves Enter, Escape and the arrow keys to an input method while it composes', async () => {
    const { page, complaints } = await open({ browser: browser(), url: app.url, as: 'haruka' });
    await page.getByRole('button', { name: 'New message' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New message' });
    const people = dialog.getByRole('option');
    await people.nth(1).waitFor();
    const highlighted = dialog.locator('[role="option"][data-highlighted]');
    const chosen = dialog.getByRole('option', { selected: true });
    const input = await useInputMethod(page);
    // Chooses among the words that the input method offers.
    for (const as of [undefined, 'processed'] as const) {
      await input.compose('けんじ');
      for (const key of ['ArrowDown', 'ArrowUp', 'Enter', 'Escape'] as const) {
        await input.press(key, as);
        expect([await highlighted.count(), await chosen.count()]).toEqual([0, 0]);
      }
    }
    await input.commit('健司');
    await input.press('Enter', 'processed');
    await comesTo(() => people.allTextContents(), ['石石田健司@kenji']);
    expect(await chosen.count()).toBe(0);
    await input.press('Enter');
    await comesTo(() => chosen.count(), 1);
    expect(complaints).toEqual([]);
  });

  it('edit form: keeps its text until it is saved, saves in order, and returns the focus to the message', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'chie' });
    await openRoom('Lobby');
    await say('Genmaicha, anibody?');
    const id = await message(page, 'Genmaicha').getAttribute('data-message');
    const row = page.getByRole('log').first().locator(`[data-message="${id}"]`);
    const field = page.getByRole('textbox', { name: 'Edit message' });
    const isBack = () => row.evaluate((element) => element === document.activeElement);
    await row.press('t');
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('Genmaicha, anibody?').waitFor();

    await row.press('e');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    expect(await isBack()).toBe(true);
    expect(await thread.count()).toBe(1);

    const allow = await refuse(page, 'EditMessage', { code: 'UNAVAILABLE' });
    await row.press('e');
    await field.fill('Genmaicha, anybody?');
    await field.press('Enter');
    await page.getByRole('status').getByText('Try again in a moment.').waitFor();
    await comesTo(() => field.isEditable(), true);
    expect(await field.inputValue()).toBe('Genmaicha, anybody?');
    expect(await hasFocus(field)).toBe(true);
    await allow();
    await field.press('Enter');
    await field.waitFor({ state: 'detached' });
    expect(await isBack()).toBe(true);

    const first = held();
    await delay(page, 'EditMessage', first.promise);
    const asked: unknown[] = [];
    page.on('request', (request) => {
      const { variables } = (request.postDataJSON() ?? {}) as { variables?: { input?: { body?: string } } };
      if (variables?.input?.body !== undefined) asked.push(variables.input.body);
    });
    await row.press('e');
    await field.fill('Genmaicha for all');
    await field.press('Enter');
    await field.press('Escape');
    await row.press('e');
    await field.fill('Genmaicha for two');
    await field.press('Enter');
    await thread.getByText('Genmaicha for two').waitFor();
    expect(asked).toEqual(['Genmaicha for all']);
    const saved = answered(page, 'EditMessage');
    first.letGo();
    await saved;
    await field.waitFor({ state: 'detached' });
    expect(asked).toEqual(['Genmaicha for all', 'Genmaicha for two']);
    await comesTo(() => row.locator('p').allTextContents(), ['Genmaicha for two (edited)']);
    expect(complaints).toEqual([]);
  });

  it('edit form: has the text again that the server refused after the form was closed', async () => {
    const { page, openRoom, say, complaints } = await open({ browser: browser(), url: app.url, as: 'ben' });
    await openRoom('Lobby');
    await say('Sencha, anibody?');
    const row = message(page, 'Sencha');
    const field = page.getByRole('textbox', { name: 'Edit message' });
    const answer = held();
    const allow = await refuse(page, 'EditMessage', { code: 'UNAVAILABLE', before: answer.promise });
    await row.press('e');
    await field.fill('Sencha, anybody?');
    await field.press('Enter');
    await field.press('Escape');
    await field.waitFor({ state: 'detached' });
    answer.letGo();
    await page.getByRole('status').getByText('Try again in a moment.').waitFor();
    await row.getByText('Sencha, anibody?').waitFor();
    await allow();

    await row.press('e');
    expect(await field.inputValue()).toBe('Sencha, anybody?');
    await field.press('Escape');
    await row.press('e');
    expect(await field.inputValue()).toBe('Sencha, anibody?');
    expect(complaints).toEqual([]);
  });

  it('day line: changes from Today to Yesterday at midnight', async () => {
    const { page, openRoom, complaints } = await open({
      browser: browser(),
      url: app.url,
      as: 'ben',
      fresh: { timezoneId: whereItIsNoon() },
    });
    await page.clock.install();
    // From here on, the page uses this clock.
    await page.reload();
    await openRoom('Lobby');
    const lines = page.getByRole('log').getByText(/^(Today|Yesterday)$/);
    await comesTo(() => lines.allTextContents(), ['Today']);
    await page.clock.fastForward('24:00:00');
    await comesTo(() => lines.allTextContents(), ['Yesterday']);
    expect(complaints).toEqual([]);
  });

  it('composer: is one line high while it is empty, also on a phone and with a long name', async () => {
    const { rooms, users } = app.services;
    const made = { topic: null, visibility: 'PRIVATE', capacity: null } as const;
    for (const name of ['Nook', 'Everything about the move to the new building']) {
      await rooms.create(users.idOf('dana'), { ...made, name });
    }
    const look = { viewport: { width: 360, height: 740 } };
    const { page, openRoom } = await open({ browser: browser(), url: app.url, as: 'dana', look });
    const heights: number[] = [];
    for (const name of ['Nook', 'Everything']) {
      await page.goto(app.url);
      await openRoom(name);
      const field = composerOf(page, name);
      await field.fill('x');
      await field.fill('');
      heights.push(await field.evaluate(({ scrollHeight }) => scrollHeight));
    }
    expect(heights[1]).toBe(heights[0]);
  });
});
