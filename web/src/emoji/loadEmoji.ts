import rows from 'virtual:emoji';
import { type Emoji, type EmojiRow, emojiOf } from './emoji.ts';

/** All emoji in the order of keyboards. This module has the data: import it only when a user looks for an emoji. */
const all: readonly Emoji[] = (JSON.parse(rows) as readonly EmojiRow[]).map(emojiOf);
export default all;
