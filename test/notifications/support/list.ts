import { expect } from 'vitest';
import type { NotificationListQuery } from '../../generated/graphql.ts';
import type { TestClient } from '../../support/clients/client.ts';
import { UnreadNow } from '../../support/clients/operations.ts';
import type { Person } from '../../support/clients/people.ts';
import { eventually } from '../../support/time/eventually.ts';
import { NotificationList } from './operations.ts';

export type ListedNode = NotificationListQuery['viewer']['notifications']['edges'][number]['node'];

/** The newest page, in the order of the list. */
export async function listNotifications(person: TestClient, unreadOnly = false): Promise<ListedNode[]> {
  const { viewer } = await person.do(NotificationList, { first: 100, unreadOnly });
  return viewer.notifications.edges.map(({ node }) => node);
}

/** The display name in the tests' tokens. */
export const nameOf = ({ handle }: Person): string => `${handle.charAt(0).toUpperCase()}${handle.slice(1)}`;

export const badgeOf = async (person: TestClient): Promise<number> =>
  (await person.do(UnreadNow)).viewer.unread.notifications;

/** Waits until the list has these texts, newest first. Resolves to the list. */
export function expectTexts(
  person: TestClient,
  texts: readonly string[],
  unreadOnly = false,
): Promise<ListedNode[]> {
  return eventually(async () => {
    const list = await listNotifications(person, unreadOnly);
    expect(list.map(({ text }) => text)).toEqual(texts);
    return list;
  });
}

/** Expects one unread notification, with this text. */
export async function expectOne(person: TestClient, text: string): Promise<ListedNode> {
  const [one] = await expectTexts(person, [text], true);
  if (one === undefined) throw new Error('There is no notification.');
  return one;
}
