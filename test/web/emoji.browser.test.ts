import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { comesTo, message, open, startWeb } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, emoji', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('composer: completes emoji by name in both languages, replaces a code, and opens all emoji', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    const field = page.getByLabel('Message Lobby');
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await field.pressSequentially('At 10:30 an :otter');
    await options.filter({ hasText: 'otter' }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toBe('At 10:30 an 🦦 ');
    await field.pressSequentially(':カワウソ');
    await options.filter({ hasText: 'otter' }).waitFor();
    await field.press('Tab');
    await field.pressSequentially(':tada');
    await options.first().waitFor();
    await field.pressSequentially(':');
    expect(await field.inputValue()).toBe('At 10:30 an 🦦 🦦 🎉');

    // The caret is where it was.
    await field.press('Home');
    await page.getByRole('button', { name: 'Add an emoji' }).click();
    const search = page.getByRole('searchbox', { name: 'Search emoji' });
    await search.fill('wave');
    await page.getByRole('button', { name: 'waving hand' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await search.press('Enter');
    await comesTo(() => field.inputValue(), '👋At 10:30 an 🦦 🦦 🎉');
    await field.press('Enter');
    await message(page, '👋At 10:30').waitFor();
    expect(complaints).toEqual([]);
  });

  it('composer: Enter sends after a completion, also if it came before the last letter was let go', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    const field = page.getByLabel('Message Lobby');
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    // The emoji and its space are as long as what was typed, so the caret does not move.
    await field.pressSequentially('Quick :o');
    await page.keyboard.down('t');
    await list.getByRole('option').first().waitFor();
    await page.keyboard.down('Enter');
    await page.keyboard.up('t');
    await page.keyboard.up('Enter');
    const completed = await field.inputValue();
    expect(completed).toMatch(/^Quick \p{Emoji_Presentation} $/u);
    await list.waitFor({ state: 'detached' });
    await field.press('Enter');
    await message(page, completed.trim()).waitFor();
    expect(await field.inputValue()).toBe('');
    expect(complaints).toEqual([]);
  });

  it('stamps: any emoji, in the chosen skin tone, by keyboard and from the plus', async () => {
    const [aki, ben] = await Promise.all(
      ['aki', 'ben'].map((as) => open({ browser: browser(), url: app.url, as })),
    );
    if (aki === undefined || ben === undefined) throw new Error('No page.');
    for (const { openRoom } of [aki, ben]) await openRoom('Lobby');
    await aki.say('Lanterns at eight.');
    const sent = message(ben.page, 'Lanterns at eight');
    await sent.focus();
    await sent.press('s');
    const { page } = ben;
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByLabel('Skin tone').selectOption({ index: 3 });
    const search = page.getByRole('searchbox', { name: 'Search stamps and emoji' });
    await search.fill('バンザイ');
    await search.fill('raising hands');
    await page.getByRole('button', { name: 'raising hands' }).waitFor();
    await search.press('Enter');
    const there = message(aki.page, 'Lanterns at eight');
    await there.getByRole('button', { name: '🙌🏽, 1 person' }).waitFor();

    await sent.getByRole('button', { name: /^🙌🏽, 1 person, including you/ }).waitFor();
    await there.getByRole('button', { name: 'Add another stamp' }).click();
    await aki.page.getByRole('tab', { name: 'Food and drink' }).click();
    const grid = aki.page.getByRole('group', { name: 'Food and drink' });
    await grid.getByRole('button').first().focus();
    const first = await grid.getByRole('button').first().textContent();
    await aki.page.keyboard.press('ArrowRight');
    await aki.page.keyboard.press('ArrowLeft');
    expect(await findings(aki.page)).toEqual([]);
    // The picker is opened again while it still fades out, as on a busy machine.
    await aki.page.evaluate("document.styleSheets[0].insertRule('* { transition-duration: 1s !important }')");
    await aki.page.keyboard.press('Enter');
    // It is among those used recently, also in the next message's picker.
    await there.getByRole('button', { name: 'Add another stamp' }).click();
    await aki.page.getByRole('tab', { name: 'Used recently' }).click();
    await aki.page
      .getByRole('group', { name: 'Used recently' })
      .getByText(first ?? '')
      .waitFor();
    await there.getByRole('button', { name: /^🙌🏽/ }).click({ force: true });
    await sent.getByRole('button', { name: /^🙌🏽, 2 people/ }).waitFor();
    expect([...aki.complaints, ...ben.complaints]).toEqual([]);
  });

  it('composer: links rooms by #', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    const field = page.getByLabel('Message Lobby');
    await field.pressSequentially('See #lo');
    await page.getByRole('option', { name: 'Lobby' }).waitFor();
    await field.press('Enter');
    await field.press('Enter');
    const link = message(page, 'See #Lobby').getByRole('link', { name: '#Lobby' });
    expect(await link.getAttribute('href')).toMatch(/^\/rooms\//);
    expect(complaints).toEqual([]);
  });
});
