import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';
import { launchBrowser } from '../../support/browser.ts';

/** The product as `npm start` shows it: no AUTH_*, and a table that it makes itself and seeds with the demo. */
export const startDemo = (options: TestAppOptions = {}): Promise<TestApp> =>
  startTestApp({
    ...options,
    config: { auth: { kind: 'development' }, tableName: 'demo', ...options.config },
  });

/** A page with GraphiQL in it takes seconds where other tests share the machine. */
export const BROWSER_TIMEOUT = 60_000;
/** Of one action in a page: it fails before its test does, and says which it was. */
export const STEP_TIMEOUT = 20_000;

/** One demo for the tests of a `describe`: each looks at rooms of its own. */
export function useDemo(): () => TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startDemo();
    // Of what the demo people have said others are told: that moves badges, too.
    await app.quiet();
  });
  afterAll(() => app?.stop());
  return () => app;
}

/** One browser for the tests of a `describe`. */
export function useBrowser(): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());
  return () => browser;
}
