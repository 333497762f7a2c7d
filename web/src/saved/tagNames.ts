import type { Api } from '../api/api.ts';
import { type TagPartsFragment, TagsNamedDocument } from '../generated/graphql.ts';

export type Tag = Readonly<TagPartsFragment>;

/** The viewer's tags whose names begin with this, at most 20. */
export async function tagsNamed(api: Pick<Api, 'queryUncached'>, prefix: string): Promise<readonly Tag[]> {
  const { viewer } = await api.queryUncached(TagsNamedDocument, { prefix });
  return viewer.savedTags.edges.map(({ node }) => node);
}

/** The viewer's tag with this name. Undefined if there is none. */
export async function tagNamed(api: Pick<Api, 'queryUncached'>, name: string): Promise<Tag | undefined> {
  // The name of a tag does not end with a space, so none begins with one that does.
  const wanted = cleanTag(name).trim();
  const found = await tagsNamed(api, wanted);
  return found.find((tag) => isSameTag(tag.name, wanted));
}

/**
 * A name as it was typed, without the number signs that people write before a tag, in their usual and full widths, and
 * without the invisible characters that come with pasted text. A name cannot have them, and no user would see what to
 * remove. Joiners stay: without them an emoji would become several.
 */
export const cleanTag = (name: string): string =>
  name.replace(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, '').replace(/^\s*[#＃﹟][#＃﹟\s]*/u, '');

/** As the server compares names: without a difference of case or width. */
export const isSameTag = (a: string, b: string): boolean => foldedTag(a) === foldedTag(b);

const foldedTag = (name: string): string =>
  name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC').trim().replace(/\s+/g, ' ');
