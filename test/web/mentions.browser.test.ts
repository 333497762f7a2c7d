import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { useInputMethod } from './support/inputMethod.ts';
import { composerOf, message, open, startWeb } from './support/pages.ts';

describe.skipIf(!browserAvailable)('web, mentions', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());

  it('composer: completes people, emoji and rooms right after kana and kanji', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await openRoom('Lobby');
    const field = composerOf(page, 'Lobby');
    const option = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await field.pressSequentially('これは@be');
    await option.filter({ hasText: 'Ben Okafor' }).waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toBe('これは@ben ');
    await field.pressSequentially('会議#lo');
    await option.filter({ hasText: 'Lobby' }).waitFor();
    await field.press('Escape');
    await field.pressSequentially(' 祝:tada');
    await option
      .filter({ hasText: 'tada' })
      .or(option.filter({ hasText: 'party' }))
      .first()
      .waitFor();
    await field.press('Escape');
    // Enter after an address sends it.
    for (const address of ['see https://x.test/@be', 'これはhttps://x.test/a;#lo']) {
      await field.fill(address.slice(-3));
      await option.waitFor();
      await field.fill('');
      await field.pressSequentially(address);
      expect(await option.count()).toBe(0);
    }
    // The server sees no mention there.
    for (const address of ['me@be', 'é@be', 'e\u0301@be', '_@be', '3@be']) {
      await field.fill('');
      await field.pressSequentially('@be');
      await option.waitFor();
      await field.fill('');
      await field.pressSequentially(address);
      expect(await option.count()).toBe(0);
    }
    await field.fill('');
    expect(complaints).toEqual([]);
  });

  it('composer: completes Japanese names as an input method writes them, also after full-width signs', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'haruka' });
    await openRoom('ロビー');
    const field = composerOf(page, 'ロビー');
    const option = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    const input = await useInputMethod(page);
    await field.focus();
    // Found before the input method has converted it, and chosen only after that.
    await input.compose('＃ろび');
    await option.filter({ hasText: 'ロビー' }).waitFor();
    await input.press('Enter');
    expect(await field.inputValue()).toBe('＃ろび');
    await input.commit('＃ろび');
    await input.press('Enter');
    expect(await field.inputValue()).toMatch(/^\[#ロビー\]\(http\S+\) $/);
    for (const [typed, completed] of [
      ['＠健司', '@kenji '],
      ['＠ｋｅｎ', '@kenji '],
      ['これは＠小川', 'これは@mio '],
    ] as const) {
      await field.fill('');
      await input.commit(typed);
      await option.waitFor();
      await field.press('Enter');
      expect(await field.inputValue()).toBe(completed);
    }
    // An e-mail address in full width is none either.
    await field.fill('');
    await input.commit('ａｋｉ＠ｋｅｎ');
    expect(await option.count()).toBe(0);
    await field.fill('');
    expect(complaints).toEqual([]);
  });

  it('body: draws mentions where the server sees them, and never in links or code', async () => {
    const { page, openRoom, complaints } = await open({ browser: browser(), url: app.url, as: 'chie' });
    await openRoom('Lobby');
    await composerOf(page).fill(
      '担当は@benさん、 https://x.test/@ben/posts me@ben.com é@ben `@ben` [see @ben](https://x.test/)',
    );
    await composerOf(page).press('Enter');
    const sent = message(page, '担当は');
    await sent.getByTitle('@ben').waitFor();
    expect(await sent.locator('p').first().textContent()).toBe(
      '担当は@Ben Okaforさん、 https://x.test/@ben/posts me@ben.com é@ben @ben see @ben',
    );
    expect(await sent.locator('p').first().getByRole('button').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});
