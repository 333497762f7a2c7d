import { expect } from 'vitest';
import type { NotificationListQuery } from '../generated/graphql.ts';
import type { TestClient } from '../support/client.ts';
import { eventually } from '../support/eventually.ts';
import { UnreadNow } from '../support/operations.ts';
import type { Person } from '../support/people.ts';
import { NotificationList } from './operations.ts';

export type Listed = NotificationListQuery['viewer']['notifications']['edges'][number]['node'];

/** The newest page, in the order of the list. */
export async function listed(person: TestClient, unreadOnly = false): Promise<Listed[]> {
  const { viewer } = await person.do(NotificationList, { first: 100, unreadOnly });
  return viewer.notifications.edges.map(({ node }) => node);
}

/** What the tests' tokens call somebody. */
export const nameOf = ({ handle }: Person): string => `${handle.charAt(0).toUpperCase()}${handle.slice(1)}`;

export const badgeOf = async (person: TestClient): Promise<number> =>
  (await person.do(UnreadNow)).viewer.unread.notifications;

/** Resolves to the list once its texts are these, newest first: the consumer takes a moment. */
export function shows(person: TestClient, texts: readonly string[], unreadOnly = false): Promise<Listed[]> {
  return eventually(async () => {
    const list = await listed(person, unreadOnly);
    expect(list.map(({ text }) => text)).toEqual(texts);
    return list;
  });
}

/** The only one of them. */
export async function showsOne(person: TestClient, text: string): Promise<Listed> {
  const [one] = await shows(person, [text], true);
  if (one === undefined) throw new Error('There is none.');
  return one;
}
