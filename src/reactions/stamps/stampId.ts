import { fromCodePoints, toCodePoints } from '../../core/codePoints.ts';
import type { Stamp } from './catalogue.ts';
import { emojiOf } from './emoji.ts';

/** No key of the catalogue contains a colon. */
const EMOJI = 'emoji:';

/** The part of a stamp's global id after the type's name: the key, or the code points of an emoji. */
export const stampId = ({ key, emoji }: Stamp): string =>
  emoji === null ? key : `${EMOJI}${toCodePoints(emoji)}`;

/** Undefined if it is not the id of an emoji. */
export function emojiOfStampId(id: string): string | undefined {
  const emoji = id.startsWith(EMOJI) ? fromCodePoints(id.slice(EMOJI.length)) : undefined;
  return emoji !== undefined && emojiOf(emoji) === emoji ? emoji : undefined;
}
