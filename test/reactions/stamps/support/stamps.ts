import type { Person } from '../../../support/clients/people.ts';
import { AddStamp, StampsOf } from './operations.ts';

/** Puts a stamp on a message. Resolves to the new stamp. */
export const put = async (who: Person, messageId: string, stamp: string) =>
  (await who.do(AddStamp, { messageId, stamp })).addStamp.messageStamp;

export interface StampsPage {
  readonly first?: number;
  readonly after?: string | null;
}

/** A message's counts and a page of its stamps, as this user sees them. */
export async function stampsOf(who: Person, id: string, page: StampsPage = {}) {
  const { node } = await who.do(StampsOf, { id, ...page });
  if (node === null || !('stamps' in node)) throw new Error('There is no such message.');
  return node;
}
