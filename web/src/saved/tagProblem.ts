import type { ApiError } from '../api/errors.ts';
import type { useSavedTexts } from './texts.ts';

const TAGS = ['input.tags', 'input.addTags', 'input.removeTags'];
/** The server's limits of the tags of one message, and of the characters of a name. */
const TAGS_MAX = '20';
const NAME_MAX = '40';

type TagTexts = Pick<
  ReturnType<typeof useSavedTexts>,
  'tagRule' | 'tagNeeded' | 'tagCharacters' | 'tooManyTags'
>;

/** Says what is wrong with these tags of a saved message. Undefined if something else is. */
export function tagsProblem(texts: TagTexts, tags: readonly string[], failure: ApiError): string | undefined {
  const { code, field, limit } = failure;
  if (code !== 'BAD_USER_INPUT' || field === undefined || !TAGS.includes(field)) return undefined;
  return limit === TAGS_MAX ? texts.tooManyTags : nameRule(texts, tags.join(), failure);
}

/** Says what is wrong with this new name of a tag. Undefined if something else is. */
export const tagNameProblem = (texts: TagTexts, name: string, failure: ApiError): string | undefined =>
  failure.code === 'BAD_USER_INPUT' && failure.field === 'input.name'
    ? name.trim() === ''
      ? texts.tagNeeded
      : nameRule(texts, name, failure)
    : undefined;

const nameRule = (texts: TagTexts, typed: string, { limit }: ApiError): string =>
  limit === NAME_MAX || typed.normalize('NFKC').includes('#') ? texts.tagRule : texts.tagCharacters;
