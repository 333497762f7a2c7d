import type { Dynamo } from '../dynamo/dynamo.ts';
import { type Key, keyOf, parseKey, ranges } from '../dynamo/keys.ts';
import { MAX_ROOMS } from '../users/user.ts';
import { type KindOfItem, kindOf, naming } from './itemsOfUser.ts';

/** What a deletion would take away. */
export type Survey = Readonly<Record<'rooms' | 'ownedRooms' | 'waitlists' | KindOfItem, number>>;

/** Counts what an account holds. Two queries, and reads the whole table; `onPage` is called for each megabyte of it. */
export async function surveyAccount(dynamo: Dynamo, user: string, onPage: () => void): Promise<Survey> {
  const [memberships, waits] = await Promise.all([
    dynamo.query(ranges.memberships(user), { limit: MAX_ROOMS }),
    dynamo.query(ranges.waits(user), { limit: MAX_ROOMS }),
  ]);
  const counts = { text: 0, like: 0, stamp: 0, saved: 0, follow: 0, record: 0 };
  for (let after: Key | undefined, done = false; !done; ) {
    const { items, next } = await dynamo.scanPage(naming(user), after);
    for (const item of items) {
      const kind = kindOf(user, parseKey(keyOf(item)), item);
      if (kind !== undefined) counts[kind]++;
    }
    onPage();
    after = next;
    done = next === undefined;
  }
  return {
    rooms: memberships.items.length,
    ownedRooms: memberships.items.filter(({ role }) => role === 'OWNER').length,
    waitlists: waits.items.length,
    ...counts,
  };
}
