import { type Option, SHOWN } from '../composer/option.ts';
import type { Language } from '../i18n/texts.ts';
import { allEmoji } from './allEmoji.ts';
import { searchEmoji, withTone } from './emoji.ts';
import { keptTone } from './kept.ts';

/** The emoji that a text after a colon finds. */
export default async function findEmoji(typed: string, language: Language): Promise<readonly Option[]> {
  return searchEmoji(await allEmoji(), typed, SHOWN).map((emoji) => {
    const character = withTone(emoji, keptTone());
    return {
      key: character,
      insert: character,
      face: character,
      name: emoji.names[language],
      hint: `:${emoji.codes[0]}:`,
      codes: emoji.codes,
    };
  });
}
