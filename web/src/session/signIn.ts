import type { DemoPerson } from './pageConfig.ts';

/**
 * Who this tab is. Session storage belongs to one tab, so that two windows can be two people; `?as=ben`
 * chooses one of the demo people, and is then taken out of the address.
 */
const PLACE = 'tsudoi:token';

export function tokenAtStart(people: readonly DemoPerson[]): string | undefined {
  const url = new URL(location.href);
  const as = url.searchParams.get('as');
  if (as !== null) {
    url.searchParams.delete('as');
    history.replaceState(history.state, '', url);
    const person = people.find(({ handle }) => handle === as);
    if (person !== undefined) keepToken(person.token);
  }
  return sessionStorage.getItem(PLACE) ?? undefined;
}

export const keepToken = (token: string): void => sessionStorage.setItem(PLACE, token);
export const dropToken = (): void => sessionStorage.removeItem(PLACE);
