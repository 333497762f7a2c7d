/**
 * Likes have rows in a list of what their users like since this release. Those that an earlier release wrote get them
 * here.
 */
import { mapAtMost } from '../../core/mapAtMost.ts';
import type { Item } from '../../dynamo/item.ts';
import { keyOf, keys, type ParsedKey, parseKey } from '../../dynamo/keys.ts';
import { type ConversionOptions, createConversion } from '../../jobs/conversion.ts';
import { type Reaction, reactionOf } from '../toggles/reaction.ts';
import { likedRow } from './likedRow.ts';

const LIKES_AT_ONCE = 8;
export function createLikedConversion(options: ConversionOptions) {
  const { dynamo } = options;

  /** Nothing happens if the like was removed meanwhile, or has its row. */
  async function adopt(like: Reaction): Promise<void> {
    await dynamo.tryTransact({
      like: {
        key: keys.like(like.user, like),
        update: 'SET listed = :true',
        condition: '#at = :at AND attribute_not_exists(listed)',
        names: { '#at': 'at' },
        values: { ':at': like.at, ':true': true },
      },
      row: { put: likedRow(like) },
    });
  }

  const { jobKind, upkeep } = createConversion(options, {
    name: 'likes',
    kind: 'likedConversion',
    guard: UNLISTED,
    adopt: async (items) => void (await mapAtMost(LIKES_AT_ONCE, items.flatMap(likesIn), adopt)),
  });

  /** For a rebuild. */
  async function visit(key: ParsedKey, item: Item): Promise<void> {
    if (key.type === 'like' && item.listed === undefined) await adopt(reactionOf(key, item));
  }

  return { jobKind, upkeep, visit };
}

/** Of the reactions of one user in one room, only likes have an entry in the index. */
const UNLISTED = {
  condition: 'contains(pk, :likes) AND attribute_exists(gsi1pk) AND attribute_not_exists(listed)',
  values: { ':likes': '#LIKES#' },
};

function likesIn(item: Item): Reaction[] {
  const key = parseKey(keyOf(item));
  return key.type === 'like' ? [reactionOf(key, item)] : [];
}
