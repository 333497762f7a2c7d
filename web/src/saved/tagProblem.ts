import type { ApiError } from '../api/errors.ts';
import type { useSavedTexts } from './texts.ts';

const TAGS = ['input.tags', 'input.addTags', 'input.removeTags'];
/** The server's limit of the tags of one message. It is another one than that of a name's characters. */
const TAGS_MAX = '20';

type TagTexts = Pick<ReturnType<typeof useSavedTexts>, 'tagRule' | 'tooManyTags'>;

/** Says what is wrong with the tags of a saved message. Undefined if something else is. */
export function tagsProblem(texts: TagTexts, { code, field, limit }: ApiError): string | undefined {
  if (code !== 'BAD_USER_INPUT' || field === undefined || !TAGS.includes(field)) return undefined;
  return limit === TAGS_MAX ? texts.tooManyTags : texts.tagRule;
}

/** Says what is wrong with the new name of a tag. Undefined if something else is. */
export const tagNameProblem = (texts: TagTexts, { code, field }: ApiError): string | undefined =>
  code === 'BAD_USER_INPUT' && field === 'input.name' ? texts.tagRule : undefined;
