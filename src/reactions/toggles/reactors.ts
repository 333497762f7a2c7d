import { defined } from '../../core/defined.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys } from '../../dynamo/keys.ts';
import type { PageRead } from '../../graphql/connections.ts';
import type { MessageKey } from '../../messages/message.ts';
import { type User, userOf } from '../../users/user.ts';
import type { ToggleStorage } from './reaction.ts';

/** How often the index is queried for one page. It may list users who have removed their reaction. */
const ROUNDS = 4;

/** A user who reacted to a message, and their position in the list. */
export type Reactor = User & { readonly cursor: string };

export interface ReactorsPage {
  readonly limit: number;
  /** The cursor to start after. Absent: from the newest reaction. */
  readonly from: string | undefined;
  readonly items: ItemLoader;
}

export interface ReactorsOptions {
  readonly dynamo: Dynamo;
  readonly kind: ToggleStorage;
}

/**
 * The users who reacted to a message, the newest reaction first. One query of the index, then the reactions and the
 * users in one batch, because the index lags behind the table and only current reactions are returned. The page may be
 * shorter than the limit if most of its users have just removed their reactions.
 */
export async function reactorsOf(
  { dynamo, kind }: ReactorsOptions,
  message: MessageKey,
  { limit, from, items }: ReactorsPage,
): Promise<PageRead<Reactor>> {
  const { key, index } = kind;

  async function reactorAt(cursor: string): Promise<Reactor[]> {
    const { at, user } = index.parts(cursor);
    const [reaction, profile] = await items.loadMany([key(user, message), keys.user(user)]);
    // If the reaction was removed and added again, it is at another position in the list.
    if (reaction?.at !== at || profile === undefined) return [];
    return [{ ...userOf(user, profile), cursor }];
  }

  const exclusiveStartKey = (cursor: string) => ({
    ...key(index.parts(cursor).user, message),
    gsi1pk: index.pk(message),
    gsi1sk: cursor,
  });

  const nodes: Reactor[] = [];
  let more = true;
  let after = from;
  for (let round = 0; round < ROUNDS && more && nodes.length < limit; round++) {
    const page = await dynamo.queryIndex(index.pk(message), {
      limit: limit - nodes.length,
      reverse: true,
      ...defined({ startKey: after === undefined ? undefined : exclusiveStartKey(after) }),
    });
    const list = page.items.map(({ gsi1sk }) => gsi1sk as string);
    nodes.push(...(await Promise.all(list.map(reactorAt))).flat());
    more = page.more;
    after = list.at(-1) ?? after;
  }
  // An empty page has no cursor to continue from.
  return { nodes, more: more && nodes.length > 0 };
}
