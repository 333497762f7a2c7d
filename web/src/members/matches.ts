import type { Person } from '../timeline/message.ts';
import { folded } from '../ui/folded.ts';

type Named = Pick<Person, 'handle' | 'displayName'>;

/** Whether a person is meant by what was typed, in any kana: the beginning of the handle, or any part of the name. */
export function matches({ handle, displayName }: Named, typed: string): boolean {
  const begun = textOf(typed);
  return handle?.startsWith(begun) === true || folded(displayName).includes(begun);
}

/** Names and handles that begin with it come first, then those with a word that does, then the others; each by name. */
export const byMatch =
  (typed: string) =>
  (one: Named, other: Named): number =>
    rankOf(one, textOf(typed)) - rankOf(other, textOf(typed)) ||
    one.displayName.localeCompare(other.displayName);

function rankOf({ handle, displayName }: Named, begun: string): number {
  const name = folded(displayName);
  if (name.startsWith(begun) || handle?.startsWith(begun) === true) return 0;
  return name.split(/[\s\-'’.]+/).some((word) => word.startsWith(begun)) ? 1 : 2;
}

const textOf = (typed: string): string => folded(typed.trim()).replace(/^@/, '');
