/** The provider sends users back to this path, with a code. */
export const SIGN_IN_PATH = '/sign-in';

/** What is in the address when the provider has sent the user back. */
export type Returned = URLSearchParams;

/** Takes the code and the state out of the address and out of the history. Undefined if this is another page. */
export function takeReturned(): Returned | undefined {
  const { pathname, searchParams } = new URL(location.href);
  if (pathname !== SIGN_IN_PATH) return undefined;
  const isReturn = searchParams.has('code') || searchParams.has('error') || searchParams.has('state');
  history.replaceState(history.state, '', isReturn ? SIGN_IN_PATH : '/');
  return isReturn ? searchParams : undefined;
}

/**
 * The path of this page with its query. `/` for other origins, and for the page that the provider sends users back to.
 */
export function pathWithin(address: string, origin: string): string {
  if (!URL.canParse(address, origin)) return '/';
  const url = new URL(address, origin);
  if (url.origin !== origin || url.pathname === SIGN_IN_PATH) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
