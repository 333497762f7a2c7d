import type { Page, Request } from 'playwright-core';

export { held } from '../../support/time/held.ts';

/**
 * Answers an operation of a page with an error, after `before`, until the returned function is called. `OFFLINE`: not at
 * all, as without a connection.
 */
export async function refuse(
  page: Page,
  operation: string,
  { code, before }: { readonly code: string; readonly before?: Promise<unknown> },
): Promise<() => Promise<void>> {
  await page.route('**/graphql', async (route) => {
    const { operationName } = route.request().postDataJSON() as { operationName?: string };
    if (operationName !== operation) return route.fallback();
    await before;
    if (code === 'OFFLINE') return route.abort('internetdisconnected');
    await route.fulfill({ json: { data: null, errors: [{ message: code, extensions: { code } }] } });
  });
  return () => page.unroute('**/graphql');
}

/** Holds operations of this name back until `before` has resolved. */
export const delay = (page: Page, operation: string, before: Promise<unknown>): Promise<unknown> =>
  page.route('**/graphql', async (route) => {
    const { operationName } = route.request().postDataJSON() as { operationName?: string };
    if (operationName === operation) await before;
    await route.fallback();
  });

/** Lets the server do operations of this name, and holds their answers back until `before` has resolved. */
export const delayAnswer = (page: Page, operation: string, before: Promise<unknown>): Promise<unknown> =>
  page.route('**/graphql', async (route) => {
    if (operationOf(route.request()) !== operation) return route.fallback();
    const response = await route.fetch();
    await before;
    await route.fulfill({ response });
  });

/** Resolves at the next response to an operation of this name. */
export const answered = (page: Page, operation: string): Promise<unknown> =>
  page.waitForResponse((response) => operationOf(response.request()) === operation);

/** Undefined for a request that is not one of the API. */
export const operationOf = (request: Request): string | undefined =>
  (request.postDataJSON() as { operationName?: string } | null)?.operationName;
