import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/servers/app.ts';

/** The product as `npm start` runs it: without AUTH_*, on a new table, which it seeds with the demo. */
export const startDemo = (options: TestAppOptions = {}): Promise<TestApp> =>
  startTestApp({
    ...options,
    config: { auth: { kind: 'development' }, tableName: 'demo', ...options.config },
  });

/** One demo for all tests of a `describe`. Each test uses its own rooms. */
export function useDemo(): () => TestApp {
  let app: TestApp;
  beforeAll(async () => {
    app = await startDemo();
    // The demo's messages cause notifications, which change badges.
    await app.quiet();
  });
  afterAll(() => app?.stop());
  return () => app;
}
