import { devices, type Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserAvailable } from '../support/clients/browser.ts';
import { useBrowser } from '../support/clients/windows.ts';
import type { TestApp } from '../support/servers/app.ts';
import { comesTo, composerOf, message, open, roomLink, startWeb } from './support/pages.ts';

/** The furthest that texts and what belongs to them may end from the list of rooms, in pixels. */
const WIDEST = 64 * 16;

/** What the page lets the user scroll beyond the window, in pixels. */
const OVERFLOW = 'document.scrollingElement.scrollHeight - document.scrollingElement.clientHeight';

describe.skipIf(!browserAvailable)('web, details of daily use', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startWeb();
  });
  afterAll(() => app?.stop());
  const as = (handle: string, other: Partial<Parameters<typeof open>[0]> = {}) =>
    open({ browser: browser(), url: app.url, as: handle, ...other });

  it('page: cannot be scrolled while a room is open', async () => {
    const { page, openRoom, complaints } = await as('aki');
    await openRoom('Lobby');
    expect(await page.evaluate(OVERFLOW)).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('phone: Back leads from the members to the room, and the toolbar hides after a tap', async () => {
    const { viewport, hasTouch, isMobile } = devices['Pixel 7'] ?? {};
    const { page, openRoom, say, complaints } = await as('ben', {
      fresh: { viewport: viewport ?? null, hasTouch: hasTouch ?? true, isMobile: isMobile ?? true },
    });
    await openRoom('Lobby');
    await page.getByRole('button', { name: /members$/ }).tap();
    await page.getByRole('complementary', { name: 'Members' }).waitFor();
    await page.goBack();
    await page.getByRole('complementary', { name: 'Members' }).waitFor({ state: 'detached' });
    await composerOf(page).waitFor();

    await say('Tapped once');
    const toolbar = message(page, 'Tapped once').getByRole('group', { name: 'Message actions' });
    const opacity = () => toolbar.evaluate((element) => getComputedStyle(element).opacity);
    await message(page, 'Tapped once').tap();
    await comesTo(opacity, '1');
    await toolbar.getByRole('button', { name: 'Like' }).tap();
    await comesTo(opacity, '0');
    await message(page, 'Tapped once').getByRole('button', { name: /1/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('forced colors: mark the open room', async () => {
    const { page, openRoom, complaints } = await as('aki');
    await page.emulateMedia({ forcedColors: 'active' });
    await openRoom('Lobby');
    const border = (name: string) =>
      roomLink(page, name).evaluate((element) => getComputedStyle(element).borderInlineStartWidth);
    await comesTo(() => border('Lobby'), '4px');
    expect(await border('Tea')).toBe('0px');
    await page.emulateMedia({ forcedColors: 'none' });
    expect(complaints).toEqual([]);
  });

  it('forced colors: show where the unread messages begin', async () => {
    const { page, openRoom, complaints } = await as('dana');
    await openRoom('Lobby');
    await page.emulateMedia({ forcedColors: 'active' });
    await message(page, 'Osaka team').hover();
    await message(page, 'Osaka team').press('u');
    const line = page.getByText('New', { exact: true });
    await line.waitFor();
    const drawn = await line.evaluate((text) => {
      const parent = text.parentElement as HTMLElement;
      const before = getComputedStyle(parent, '::before');
      return {
        isDrawn: before.backgroundColor !== getComputedStyle(document.body).backgroundColor,
        height: before.height,
      };
    });
    expect(drawn).toEqual({ isDrawn: true, height: '3px' });
    await page.emulateMedia({ forcedColors: 'none' });
    expect(complaints).toEqual([]);
  });

  it('a very wide window: keeps lines short, and what belongs to a message beside it', async () => {
    const { page, openRoom, say, complaints } = await as('aki', {
      look: { viewport: { width: 3840, height: 2160 } },
    });
    await openRoom('Lobby');
    await say(`Wide ${'and so on '.repeat(80)}`);
    const row = message(page, 'Wide and so on');
    await row.hover();
    const toolbar = row.getByRole('group', { name: 'Message actions' });
    await toolbar.waitFor();
    const end = async (part: Locator) => {
      const box = await part.boundingBox();
      const room = await page.getByRole('log').boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0) - (room?.x ?? 0);
    };
    for (const part of [row.locator('p').first(), toolbar, composerOf(page)]) {
      expect(await end(part)).toBeLessThanOrEqual(WIDEST);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(3840);
    expect(complaints).toEqual([]);
  });

  it('unknown address: is a page that leads back, with status 404 for machines', async () => {
    const { page } = await as('aki', { path: '/' });
    // Signed in: the token is kept when the page has its texts.
    await roomLink(page, 'Lobby').waitFor();
    const response = await page.goto(`${app.url}/room/typo`);
    expect(response?.status()).toBe(404);
    await page.getByRole('heading', { name: 'There is no page at this address.' }).waitFor();
    await page.getByRole('link', { name: 'Back to your rooms' }).click();
    await page.getByRole('heading', { name: 'Choose a room' }).waitFor();
  });

  it('no server: the page says so, and continues when it is back', async () => {
    const { page } = await as('aki');
    await roomLink(page, 'Lobby').waitFor();
    await page.context().route('**/graphql', (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'Tsudoi can’t be reached' }).waitFor();
    await page.context().unroute('**/graphql');
    // The page tries by itself as well, and may be faster.
    await Promise.any([
      page.getByRole('button', { name: 'Try again' }).click(),
      roomLink(page, 'Lobby').waitFor(),
    ]);
    await roomLink(page, 'Lobby').waitFor();
  });

  it('no script: the page says what it needs', async () => {
    const { page } = await as('aki', { fresh: { javaScriptEnabled: false } });
    // Selectors by text skip this element.
    await page.locator('noscript p').first().waitFor();
    expect(await page.locator('noscript p').first().textContent()).toContain('This page needs JavaScript');
  });

  it('composer: bold and italic by keyboard, and an address pasted over a selection is its link', async () => {
    const { page, openRoom, complaints } = await as('dana', {
      fresh: { permissions: ['clipboard-read', 'clipboard-write'] },
    });
    await openRoom('Lobby');
    const field = composerOf(page);
    await field.fill('Read the manual');
    await field.press('ControlOrMeta+a');
    await field.press('ControlOrMeta+b');
    expect(await field.inputValue()).toBe('**Read the manual**');
    await field.press('ControlOrMeta+b');
    expect(await field.inputValue()).toBe('Read the manual');
    await field.press('ControlOrMeta+i');
    expect(await field.inputValue()).toBe('_Read the manual_');
    await field.press('ControlOrMeta+z');
    expect(await field.inputValue()).toBe('Read the manual');
    await field.press('ControlOrMeta+a');
    await page.evaluate("navigator.clipboard.writeText('https://example.org/a_(b)')");
    await field.press('ControlOrMeta+v');
    expect(await field.inputValue()).toBe('[Read the manual](https://example.org/a_%28b%29)');
    await field.press('Enter');
    const link = message(page, 'Read the manual').getByRole('link', { name: 'Read the manual' });
    expect(await link.getAttribute('href')).toBe('https://example.org/a_%28b%29');
    expect(complaints).toEqual([]);
  });
});
