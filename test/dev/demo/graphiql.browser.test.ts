import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { browserAvailable, complaintsOf } from '../../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../../support/clients/windows.ts';
import { eventually } from '../../support/time/eventually.ts';
import { useDemo } from '../support/demo.ts';

const result = (page: Page) => page.locator('.result-window');

async function run(page: Page, operation: string): Promise<void> {
  await page.locator('.graphiql-execute-button').click();
  await page.getByRole('menuitem', { name: operation }).click();
}

/** A second window with the same storage. A tab would hide the first one, and hidden pages run slowly. */
async function anotherWindow(page: Page): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.evaluate("void open('about:blank', '', 'popup,noopener,width=1280,height=720')");
  return opened;
}

describe.skipIf(!browserAvailable)('GraphiQL in a browser', () => {
  const browser = useBrowser();
  const demo = useDemo();

  async function openAs(page: Page, url: string, handle: string) {
    const complaints = complaintsOf(page, url);
    await page.goto(`${url}/graphql?as=${handle}`);
    await page.getByText('# Welcome to Tsudoi').waitFor();
    return { page, complaints };
  }

  it('GraphiQL: runs its first query, subscription and message without changes, as two users in two windows', async () => {
    // Windows of one browser share what GraphiQL stores.
    const first = await freshWindow(browser());
    const ben = await openAs(first, demo().url, 'ben');
    const aki = await openAs(await anotherWindow(first), demo().url, 'aki');

    await run(aki.page, 'First');
    await result(aki.page).getByText('"Aki Tanaka"').waitFor();

    await run(ben.page, 'Badge');
    const total = async () =>
      Number(/"total":\s*(\d+)/.exec((await result(ben.page).textContent()) ?? '')?.[1]);
    await result(ben.page).getByText('"Engineering"').waitFor();
    const before = await total();
    await run(aki.page, 'Say');
    await result(aki.page).getByText('"Hello, everyone!"').waitFor();
    await eventually(async () => expect(await total()).toBe(before + 1));

    expect(aki.complaints).toEqual([]);
    expect(ben.complaints).toEqual([]);
  });

  it('GraphiQL: signs in as any user of the demo, and as no one if the name is not one of them', async () => {
    const { page, complaints } = await openAs(await freshWindow(browser()), demo().url, 'chie');
    await run(page, 'First');
    await result(page).getByText('"Chie Mori"').waitFor();
    const noDemoUser = 'is not a user of the demo';
    expect(await page.getByText(noDemoUser).count()).toBe(0);
    expect(complaints).toEqual([]);

    const stranger = await openAs(await freshWindow(browser()), demo().url, 'misaki_tanaka');
    await stranger.page.getByText(`“misaki_tanaka” ${noDemoUser}, so you are not signed in.`).waitFor();
    await stranger.page
      .getByRole('tab', { name: /headers/i })
      .or(stranger.page.getByRole('button', { name: /headers/i }))
      .first()
      .click();
    await stranger.page.locator('[aria-label="Headers"]').getByText('YOUR-TOKEN').first().waitFor();
    if (process.env.SCREENSHOT) await stranger.page.screenshot({ path: process.env.SCREENSHOT });
    await run(stranger.page, 'First');
    await result(stranger.page).getByText('UNAUTHENTICATED').waitFor();
  });

  it('GraphiQL: restores its tab after a reload, and stores no token in the browser', async () => {
    const { page } = await openAs(await freshWindow(browser()), demo().url, 'ben');
    await run(page, 'First');
    await result(page).getByText('"Ben Okafor"').waitFor();
    // GraphiQL stores its tabs half a second after they change.
    await eventually(async () =>
      expect(await page.evaluate('Object.keys(localStorage).join()')).toContain('tabState'),
    );

    await page.reload();
    await page.getByText('# Welcome to Tsudoi').waitFor();
    expect(await page.getByRole('tab').count()).toBe(1);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Bearer');
    await run(page, 'First');
    await result(page).getByText('"Ben Okafor"').waitFor();
  });
});
