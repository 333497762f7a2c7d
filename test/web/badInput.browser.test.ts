import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { findings } from './support/axe.ts';
import { comesTo, composerOf, message, open, startWeb } from './support/pages.ts';

const SCRIPT = `<script>window.bitten = 1</script><img src=x onerror="window.bitten = 1">`;
const LINK = '[Click me](javascript:window.bitten=1) <javascript:window.bitten=1> [here](data:text/html,x)';
const WORD = 'W'.repeat(4_000);
const ARABIC = 'مرحبا بالعالم، هذا نص من اليمين إلى اليسار (1, 2, 3) `code`';
/** Would reverse the direction of the whole line if it could leak out of its message. */
const OVERRIDE = '\u202Eeasy to misread';
const NAME = `Zalgo${'\u0301\u0336'.repeat(100)}`;
const FENCE = `\`\`\`\n${'const line = 1; '.repeat(60)}\n\`\`\``;
const MARKDOWN = `${'> '.repeat(40)}deep\n${'* '.repeat(30)}deeper`;
/** A marker for a text that rendering has to fail with. */
const FATAL = 'https://fatal.example/';

/** Overlapping rows, and elements wider than their container. */
const faults = (page: Page): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const found = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) found.push('the page is ' + page.scrollWidth + ' wide');
    for (const log of document.querySelectorAll('[role=log]')) {
      if (log.scrollWidth > log.clientWidth) found.push('a list is ' + log.scrollWidth + ' wide');
      const rows = [...log.querySelectorAll('[role=article]')].map((row) => row.getBoundingClientRect());
      rows.forEach(({ top, left, right }, index) => {
        if (index > 0 && top < rows[index - 1].bottom - 1) found.push('row ' + index + ' overlaps another');
        if (left < 0 || right > page.clientWidth) found.push('row ' + index + ' is too wide');
      });
    }
    return found;
  })()`);

describe.skipIf(!browserAvailable)('web, unusual messages', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
    const { services } = app;
    const ids = { aki: services.users.idOf('aki'), ben: services.users.idOf('ben') };
    const made = { name: 'Odd', topic: null, visibility: 'PUBLIC', capacity: null } as const;
    const { id: room } = await services.rooms.create(ids.ben, made);
    await services.rooms.join(ids.aki, room);
    const zalgo = await services.users.ensure({ sub: 'zalgo', handle: 'zalgo', name: 'Zalgo' });
    // Longer than the API allows. An import may contain such names.
    await services.users.update(zalgo, { displayName: NAME });
    await services.rooms.join(zalgo, room);
    for (const body of [SCRIPT, LINK, WORD, ARABIC, OVERRIDE, FENCE, MARKDOWN]) {
      await services.messages.send({ room, author: ids.ben, body });
      await services.messages.send({ room, author: zalgo, body: 'And then?' });
    }
    await services.messages.send({ room, author: ids.ben, body: `See [this](${FATAL})\nand that.` });
    await services.messages.send({ room, author: ids.ben, body: 'The last one.' });
  });
  afterAll(() => app?.stop());

  it.each([
    ['on a desk', { width: 1280, height: 2400 }],
    ['on a phone', { width: 360, height: 6000 }],
  ] as const)('message: any body is shown as text and breaks no layout %s', async (_, viewport) => {
    const aki = await open({ browser: browser(), url: app.url, as: 'aki', look: { viewport } });
    await aki.openRoom('Odd');
    const { page } = aki;
    await message(page, 'The last one.').waitFor();
    await comesTo(() => faults(page), []);

    await message(page, SCRIPT).waitFor();
    await message(page, 'Click me').waitFor();
    expect(await message(page, 'Click me').locator('a').count()).toBe(0);
    expect(await page.locator('[role=log] :is(script, img)').count()).toBe(0);
    expect(await page.evaluate('window.bitten')).toBeUndefined();
    expect(
      await message(page, 'مرحبا')
        .locator('p')
        .evaluate((text) => text.matches(':dir(rtl)')),
    ).toBe(true);
    const name = await page.getByText(NAME).first().boundingBox();
    expect(name?.height).toBeLessThan(60);

    await message(page, WORD).focus();
    await message(page, WORD).press('t');
    await page.getByRole('complementary', { name: 'Thread' }).getByText(WORD).waitFor();
    // When a timeline becomes narrower, its rows move in the next frame.
    await comesTo(() => faults(page), []);
    expect(await findings(page)).toEqual([]);
    expect(aki.complaints).toEqual([]);
  });

  it('message: is shown unformatted if rendering fails, and other messages stay', async () => {
    const { page, complaints, openRoom } = await open({ browser: browser(), url: app.url, as: 'aki' });
    await page.evaluate(`
      const { canParse } = URL;
      URL.canParse = (url) => {
        if (url === '${FATAL}') throw new Error('The page fails.');
        return canParse(url);
      };
    `);
    await openRoom('Odd');
    await message(page, 'The last one.').waitFor();
    await message(page, `See [this](${FATAL})`).waitFor();
    expect(complaints.filter((complaint) => !complaint.includes('The page fails.'))).toEqual([]);
  });

  it('message: an invalid body is refused with an explanation, before or after sending', async () => {
    const aki = await open({ browser: browser(), url: app.url, as: 'aki' });
    await aki.openRoom('Tea');
    const field = composerOf(aki.page);
    await field.fill('x'.repeat(4_003));
    await aki.page.getByText('3 characters too many').waitFor();
    await field.press('Enter');
    expect(await field.inputValue()).toHaveLength(4_003);

    // Only the server refuses NUL.
    await field.fill('a\u0000b');
    await field.press('Enter');
    const refusal = aki.page.getByRole('alert').filter({ hasText: 'Not sent.' });
    await refusal.getByText('Something here isn’t allowed').waitFor();
    expect(await refusal.textContent()).not.toMatch(/BAD_USER_INPUT|INTERNAL/);
    await refusal.getByRole('button', { name: 'Discard' }).click();
    await refusal.waitFor({ state: 'detached' });
  });
});
