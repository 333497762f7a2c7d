import { defined } from '../../core/defined.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, likers as places } from '../../dynamo/keys.ts';
import type { PageRead } from '../../graphql/connections.ts';
import type { MessageKey } from '../../messages/message.ts';
import { type User, userOf } from '../../users/user.ts';

/** How often the index is asked again for a page of which it named people who like the message no more. */
const ROUNDS = 4;

/** Somebody who likes a message, and where they stand in its list. */
export type Liker = User & { readonly place: string };

export interface LikersPage {
  readonly limit: number;
  /** The place to start behind; absent: from the newest. */
  readonly from: string | undefined;
  readonly items: ItemLoader;
}

/**
 * Who likes a message, newest first. One query of the index; then the likes themselves with the people, in one
 * batch: the index lags, and only who likes the message now is told. A page whose people have mostly taken
 * their likes back at this moment may be shorter than it was asked for.
 */
export async function likersOf(
  dynamo: Dynamo,
  message: MessageKey,
  { limit, from, items }: LikersPage,
): Promise<PageRead<Liker>> {
  const nodes: Liker[] = [];
  let more = true;
  let after = from;
  for (let round = 0; round < ROUNDS && more && nodes.length < limit; round++) {
    const named = await dynamo.queryIndex(places.pk(message), {
      limit: limit - nodes.length,
      reverse: true,
      ...defined({ startKey: after === undefined ? undefined : startBehind(message, after) }),
    });
    const list = named.items.map(({ gsi1sk }) => gsi1sk as string);
    nodes.push(...(await Promise.all(list.map((place) => likerAt(place, message, items)))).flat());
    more = named.more;
    after = list.at(-1) ?? after;
  }
  // Behind an empty page nobody could go on: it has no cursor.
  return { nodes, more: more && nodes.length > 0 };
}

const startBehind = (message: MessageKey, place: string) => ({
  ...keys.like(places.parts(place).user, message),
  gsi1pk: places.pk(message),
  gsi1sk: place,
});

async function likerAt(place: string, message: MessageKey, items: ItemLoader): Promise<Liker[]> {
  const { at, user } = places.parts(place);
  const [like, profile] = await items.loadMany([keys.like(user, message), keys.user(user)]);
  // Given again meanwhile, it stands at another place.
  if (like?.at !== at || profile === undefined) return [];
  return [{ ...userOf(user, profile), place }];
}
