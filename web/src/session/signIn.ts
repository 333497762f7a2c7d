import type { DemoPerson } from './pageConfig.ts';

/**
 * The user of this tab. Session storage belongs to one tab, so two windows can be two users. `?as=ben` signs in as one
 * of the demo users, and is then removed from the address. With any other name the page asks who to sign in as.
 */
const STORAGE_KEY = 'tsudoi:token';

export function tokenAtStart(people: readonly DemoPerson[]): string | undefined {
  const url = new URL(location.href);
  const as = url.searchParams.get('as');
  if (as !== null) {
    url.searchParams.delete('as');
    history.replaceState(history.state, '', url);
    const person = people.find(({ handle }) => handle === as);
    if (person === undefined) dropToken();
    else keepToken(person.token);
  }
  return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
}

export const keepToken = (token: string): void => sessionStorage.setItem(STORAGE_KEY, token);
export const dropToken = (): void => sessionStorage.removeItem(STORAGE_KEY);
