import { afterAll, beforeAll } from 'vitest';
import { startTestApp, type TestApp, type TestAppOptions } from '../../support/app.ts';

/** The product as `npm start` shows it: no AUTH_*, and a table that it makes itself and seeds with the demo. */
export const startDemo = (options: TestAppOptions = {}): Promise<TestApp> =>
  startTestApp({
    ...options,
    config: { auth: { kind: 'development' }, tableName: 'demo', ...options.config },
  });

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
