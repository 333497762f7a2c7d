/** Layouts in narrow windows, and with names that are long and have no spaces. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { encodeId } from '../../src/graphql/ids.ts';
import { browserAvailable } from '../support/clients/browser.ts';
import { findings } from './support/axe.ts';
import { bell, useNotifications } from './support/notificationPanel.ts';
import { comesTo } from './support/pages.ts';

/** The longest name that a room can have. */
const ROOM = 'Gesamtplanung'.repeat(7).slice(0, 80);
/** The longest name that a person can have. */
const PERSON = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 50);

/** Runs in the page: what of an element is outside of it, at its end. */
const outside = (box: Element): readonly string[] => {
  const { right } = box.getBoundingClientRect();
  return [...box.querySelectorAll('*')]
    .filter((part) => part.getBoundingClientRect().right > right + 1)
    .map((part) => `${part.tagName} ${part.textContent}`);
};

/** Runs in the page: the number of lines of an element's text. */
const linesOf = (element: Element): number => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
};

/** Runs in the page: the characters with which the lines of an element's text begin. */
const beginsOf = (element: Element): string => {
  const range = document.createRange();
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let begins = '';
  let last: number | undefined;
  while (texts.nextNode()) {
    const text = texts.currentNode;
    for (let at = 0; at < (text.textContent ?? '').length; at++) {
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const { top, width } = range.getBoundingClientRect();
      if (width === 0) continue;
      if (top !== last) begins += range.toString();
      last = top;
    }
  }
  return begins;
};

/** Runs in the page: whether an element's text ends before each of its siblings on the same line begins. */
const isBeforeOthers = (element: Element): boolean => {
  const range = document.createRange();
  range.selectNodeContents(element);
  const text = range.getBoundingClientRect();
  const beside = [...(element.parentElement?.children ?? [])]
    .filter((part) => part !== element)
    .map((part) => part.getBoundingClientRect())
    .filter(({ top, bottom }) => top < text.bottom && bottom > text.top);
  return beside.length > 0 && beside.every(({ left }) => text.right <= left);
};

const isInWindow = async (page: Page, part: Locator): Promise<boolean> => {
  const box = await part.boundingBox();
  const width = page.viewportSize()?.width ?? 0;
  return box !== null && box.x >= 0 && box.x + box.width <= width;
};

describe.skipIf(!browserAvailable)('web, narrow windows and long names', () => {
  const web = useNotifications();

  it.each([
    ['en-GB', 320],
    ['ja-JP', 320],
    ['en-GB', 375],
    ['ja-JP', 768],
    ['en-GB', 1280],
  ])('bell and composer: fit (%s, %i px)', async (locale, width) => {
    const room = await web.room(ROOM, ['aki', 'ben']);
    await web.say(room, 'ben', '@aki, this room has a long name.');
    await web.app.quiet();
    const { page, complaints } = await web.as('aki', {
      path: `/rooms/${encodeURIComponent(encodeId('Room', room))}`,
      fresh: { locale, viewport: { width, height: 640 } },
    });
    const send = page.getByRole('button', { name: /^(Send|送信)$/ });
    await send.waitFor();
    await page.getByRole('button', { name: /^(Send later|後で送信)$/ }).waitFor();
    expect(await isInWindow(page, send)).toBe(true);

    if (width <= 768) await page.goto(new URL('/', page.url()).href);
    await (width <= 768 ? page.getByRole('button', { name: /^(Notifications|通知)/ }) : bell(page)).click();
    const panel = page.getByRole('dialog');
    const rows = panel.locator('[data-notification]');
    await rows.filter({ hasText: ROOM }).first().waitFor();
    for (const row of await rows.all()) expect(await row.evaluate(outside)).toEqual([]);
    expect(await panel.getByRole('heading').first().evaluate(isBeforeOthers)).toBe(true);
    const close = panel.getByRole('button', { name: /^(Close|閉じる)$/ });
    expect(await isInWindow(page, close)).toBe(true);
    expect(await findings(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('Japanese: lines break between phrases, and words on buttons do not break', async () => {
    const room = await web.room('東屋', ['haruka', 'kenji']);
    const { page, complaints } = await web.as('haruka', {
      path: `/rooms/${encodeURIComponent(encodeId('Room', room))}`,
      fresh: { locale: 'ja-JP', viewport: { width: 320, height: 568 } },
    });
    const dialog = page.getByRole('dialog').or(page.getByRole('alertdialog'));
    for (const [item, buttons] of [
      ['ルームを退出', ['キャンセル', 'オーナーを選ぶ']],
      ['日付に移動…', ['1 週間前', '1 か月前', '最初', 'キャンセル', '移動']],
    ] as const) {
      await page.getByRole('button', { name: '東屋 のメニュー' }).click();
      await page.getByRole('menuitem', { name: item }).click();
      for (const name of buttons) {
        const button = dialog.getByRole('button', { name, exact: true });
        expect([name, await button.evaluate(linesOf)]).toEqual([name, 1]);
      }
      await dialog.getByRole('button', { name: 'キャンセル' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: '東屋 のメニュー' }).click();
    await page.getByRole('menuitem', { name: '招待リンク' }).click();
    const hint = dialog.getByText('リンクを知っている人は');
    await hint.waitFor();
    expect(await hint.evaluate(linesOf)).toBeGreaterThan(1);
    // Not in the middle of ルーム.
    expect(await hint.evaluate(beginsOf)).not.toMatch(/[ーム]/);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['en-GB', 390, 844],
    ['ja-JP', 320, 568],
    ['en-GB', 1280, 720],
  ])(
    'toasts: cover nothing of a dialog that fills the window (%s, %i × %i px)',
    async (locale, width, height) => {
      const names = ['A hall', ROOM, 'The kitchen'].map((name) => `${name.slice(0, 60)} ${locale} ${width}`);
      const rooms = [];
      for (const name of names) rooms.push(await web.room(name, ['ben', 'aki']));
      for (let i = 0; i < 5; i++) await web.room(`More ${width} ${i}`, ['ben']);
      const { page, complaints } = await web.as('aki', {
        fresh: { locale, viewport: { width, height }, reducedMotion: 'reduce' },
      });
      await page.getByRole('button', { name: /^(Browse rooms|ルームを探す)$/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('More').first().waitFor();
      const toasts = page.getByRole('status').locator('p');
      for (const room of rooms) {
        await web.app.services.rooms.remove({ room, by: web.id('ben'), user: web.id('aki') });
      }
      await comesTo(() => toasts.count(), 3);
      await comesTo(async () => {
        const [above, below] = [await toasts.last().boundingBox(), await dialog.boundingBox()];
        return above !== null && below !== null && above.y + above.height <= below.y;
      }, true);
      expect(await isInWindow(page, toasts.nth(1))).toBe(true);
      await dialog.getByRole('button', { name: /^(Close|閉じる)$/ }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  it.each([320, 1280])('switcher: a handle is on one line beside a long name (%i px)', async (width) => {
    await web.app.services.users.update(web.id('chie'), { displayName: PERSON });
    const { page, complaints } = await web.as('aki', { look: { viewport: { width, height: 640 } } });
    await page.getByRole('button', { name: /^Jump to/ }).click();
    await page.getByRole('combobox').fill('chie');
    const option = page.getByRole('option').filter({ hasText: '@chie' });
    await option.waitFor();
    expect(await option.getByText('@chie').evaluate(linesOf)).toBe(1);
    await comesTo(() => option.evaluate(outside), []);
    await web.app.services.users.update(web.id('chie'), { displayName: 'Chie Mori' });
    expect(complaints).toEqual([]);
  });
});
