/** Tags as they are stored: an item with the name and the counts, and one that reserves the folded name. */
import { defined } from '../core/defined.ts';
import type { Item } from '../dynamo/item.ts';
import { keys, publicTags, savedTagsByCount } from '../dynamo/keys.ts';
import { FIRST_SHAPE } from '../dynamo/shapes.ts';
import type { Write } from '../dynamo/write.ts';
import { isSame, type TagName } from './tagName.ts';

export interface SavedTag {
  readonly user: string;
  readonly id: string;
  readonly name: TagName;
  /** How many saved messages have it; never 0. */
  readonly count: number;
  /** How many of these are public. */
  readonly publicCount: number;
  /** 0: it is not stored yet. */
  readonly version: number;
}

export const savedTagOf = (user: string, id: string, item: Item | undefined): SavedTag | undefined =>
  item === undefined
    ? undefined
    : {
        user,
        id,
        name: { shown: item.name as string, folded: item.folded as string },
        count: item.count as number,
        publicCount: item.publicCount as number,
        version: item.rev as number,
      };

export const newTag = (user: string, id: string, name: TagName): SavedTag => ({
  user,
  id,
  name,
  count: 0,
  publicCount: 0,
  version: 0,
});

/** By how much the counts of a tag change. */
export interface TagDifference {
  count: number;
  publicCount: number;
}

/** Deletes a tag and its name, on the condition that it is as it was read. */
export const deleteTag = ({ user, id, name, version }: SavedTag): Write[] => [
  { delete: keys.savedTag(user, id), condition: 'rev = :before', values: { ':before': version } },
  { delete: keys.savedTagName(user, name.folded), condition: 'tag = :tag', values: { ':tag': id } },
];

/**
 * Changes the counts of a tag, on the condition that it is as it was read. A tag is stored with its first message, and
 * deleted with its last. The reservation of its name is in the index of the public tags while it has public messages.
 */
export function writeTag(tag: SavedTag, by: TagDifference): Write[] {
  const { user, id, name, version } = tag;
  const [count, publicCount] = [tag.count + by.count, tag.publicCount + by.publicCount];
  const [key, nameKey] = [keys.savedTag(user, id), keys.savedTagName(user, name.folded)];
  const listed = { gsi1pk: publicTags.pk(user), gsi1sk: publicTags.sk(name.folded, id) };
  if (version === 0) {
    const sorted = { gsi1pk: savedTagsByCount.pk(user), gsi1sk: savedTagsByCount.sk(count, id) };
    const counts = { count, publicCount, rev: 1 };
    return [
      {
        put: { ...key, v: FIRST_SHAPE, name: name.shown, folded: name.folded, ...counts, ...sorted },
        condition: 'attribute_not_exists(pk)',
      },
      {
        put: { ...nameKey, v: FIRST_SHAPE, tag: id, ...(publicCount > 0 ? listed : {}) },
        condition: 'attribute_not_exists(pk)',
      },
    ];
  }
  const unchanged = { condition: 'rev = :before', values: { ':before': version } };
  const reserved = { condition: 'tag = :tag', values: { ':tag': id } };
  if (count === 0) return deleteTag(tag);
  const counted: Write = {
    key,
    update: 'SET #count = :count, publicCount = :public, rev = :rev, gsi1sk = :sorted',
    condition: unchanged.condition,
    names: { '#count': 'count' },
    values: {
      ...unchanged.values,
      ':count': count,
      ':public': publicCount,
      ':rev': version + 1,
      ':sorted': savedTagsByCount.sk(count, id),
    },
  };
  const [wasPublic, isPublic] = [tag.publicCount > 0, publicCount > 0];
  if (wasPublic === isPublic) return [counted];
  const list: Write = {
    key: nameKey,
    update: isPublic ? 'SET gsi1pk = :gsi1pk, gsi1sk = :gsi1sk' : 'REMOVE gsi1pk, gsi1sk',
    condition: reserved.condition,
    values: {
      ...reserved.values,
      ...defined({ ':gsi1pk': isPublic ? listed.gsi1pk : undefined }),
      ...defined({ ':gsi1sk': isPublic ? listed.gsi1sk : undefined }),
    },
  };
  return [counted, list];
}

/** Gives a tag another name, which no other tag has. One write if only its form changes. */
export function writeTagName(tag: SavedTag, name: TagName): Write[] {
  const { user, id, version, publicCount } = tag;
  const named: Write = {
    key: keys.savedTag(user, id),
    update: 'SET #name = :name, folded = :folded, rev = :rev',
    condition: 'rev = :before',
    names: { '#name': 'name' },
    values: { ':name': name.shown, ':folded': name.folded, ':rev': version + 1, ':before': version },
  };
  if (isSame(tag.name, name)) return [named];
  const listed = { gsi1pk: publicTags.pk(user), gsi1sk: publicTags.sk(name.folded, id) };
  const reservation = { ...keys.savedTagName(user, name.folded), v: FIRST_SHAPE, tag: id };
  return [
    named,
    {
      delete: keys.savedTagName(user, tag.name.folded),
      condition: 'tag = :tag',
      values: { ':tag': id },
    },
    {
      put: { ...reservation, ...(publicCount > 0 ? listed : {}) },
      condition: 'attribute_not_exists(pk)',
    },
  ];
}
