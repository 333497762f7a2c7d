import { cleanTag, isSameTag } from './tagNames.ts';

/**
 * The tags that were chosen, and what is typed after them. A name may contain commas, so it is never part of a text.
 */
export interface TagsValue {
  readonly chosen: readonly string[];
  readonly text: string;
}

/** Between names that are typed or pasted. */
const SEPARATOR = /[,、，]/;

export const tagsValue = (chosen: readonly string[]): TagsValue => ({ chosen, text: '' });

export const hasSeparator = (text: string): boolean => SEPARATOR.test(text);

/** With one more tag. */
export const withTag = ({ chosen }: TagsValue, name: string): TagsValue =>
  tagsValue(unique([...chosen, name]));

/** With another text: all names before its last separator are chosen. */
export function withText({ chosen }: TagsValue, text: string): TagsValue {
  const parts = text.split(SEPARATOR);
  const last = parts.pop() ?? '';
  return { chosen: unique([...chosen, ...parts]), text: parts.length === 0 ? last : last.trimStart() };
}

/** All names, also those that are only typed. */
export const namesIn = ({ chosen, text }: TagsValue): string[] =>
  unique([...chosen, ...text.split(SEPARATOR)]);

/** What makes the names that were there before those that are there now. */
export function tagsChange(before: readonly string[], now: readonly string[]) {
  const without = (these: readonly string[], others: readonly string[]) =>
    these.filter((name) => !others.some((other) => isSameTag(name, other)));
  const [addTags, removeTags] = [without(now, before), without(before, now)];
  return {
    ...(addTags.length === 0 ? {} : { addTags }),
    ...(removeTags.length === 0 ? {} : { removeTags }),
  };
}

function unique(names: readonly string[]): string[] {
  const written = names.map((name) => cleanTag(name).trim()).filter((name) => name !== '');
  return written.filter((name, i) => written.findIndex((other) => isSameTag(name, other)) === i);
}
