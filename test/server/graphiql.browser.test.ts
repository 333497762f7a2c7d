import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { browserAvailable, complaintsOf } from '../support/clients/browser.ts';
import { freshWindow, useBrowser } from '../support/clients/windows.ts';
import { eventually } from '../support/time/eventually.ts';
import { startServer } from './support/server.ts';
import { tokenOf } from './support/tokens.ts';

describe.skipIf(!browserAvailable)('pages in a browser', () => {
  const browser = useBrowser();

  async function open(url: string) {
    const page = await freshWindow(browser(), { viewport: { width: 1_280, height: 800 } });
    const complaints = complaintsOf(page, new URL(url).origin);
    await page.goto(url);
    return { page, complaints };
  }

  const run = (page: Page) => page.getByRole('button', { name: /execute query/i }).click();
  /** The editor shows spaces as no-break spaces. */
  const shown = async (page: Page) =>
    (await page.locator('.result-window').textContent())?.replaceAll('\u00a0', ' ');

  test('GraphiQL: opens without the internet, and runs queries and subscriptions with the shown token', async () => {
    const authorization = `Bearer ${await tokenOf()}`;
    const { url, events, session } = await startServer({
      graphiql: {
        defaultQuery:
          '# Who am I?\nquery First { whoami }\n\n# What happens?\nsubscription Second { ticks }\n',
        headers: JSON.stringify({ authorization }, null, 2),
      },
    });
    await session();
    const { page, complaints } = await open(`${url}/graphql`);
    await page.getByText('Who am I?').waitFor();
    await page
      .getByRole('tab', { name: /headers/i })
      .or(page.getByRole('button', { name: /headers/i }))
      .first()
      .click();
    await page.locator('[aria-label="Headers"]').getByText('authorization').first().waitFor();

    await run(page);
    await page.getByRole('menuitem', { name: 'First' }).click();
    await eventually(async () => expect(await shown(page)).toContain('"aki"'));

    const subscribed = once(events, 'subscribed');
    await run(page);
    await page.getByRole('menuitem', { name: 'Second' }).click();
    await subscribed;
    events.emit('tick', 'the first event');
    await eventually(async () => expect(await shown(page)).toContain('the first event'));
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });

    await page.getByRole('button', { name: /stop query/i }).click();
    await eventually(() => expect(events.listenerCount('tick')).toBe(0));
    expect(complaints).toEqual([]);
    expect(page.url()).toBe(`${url}/graphql`);

    // The token is in the page and is not stored in the browser.
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage }));
    expect(stored).not.toContain('eyJ');
    await page.reload();
    await page.getByText('Who am I?').waitFor();
    await run(page);
    await page.getByRole('menuitem', { name: 'First' }).click();
    await eventually(async () => expect(await shown(page)).toContain('"aki"'));
  });

  test('start page: its scripts run', async () => {
    const { url } = await startServer();
    const { page, complaints } = await open(url);
    expect(await page.evaluate('window.started')).toBe(true);
    expect(complaints).toEqual([]);
  });
});
