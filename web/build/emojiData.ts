import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** The part of a row of emojibase's data that is used. */
interface Row {
  readonly hexcode: string;
  readonly emoji: string;
  readonly label: string;
  readonly tags?: readonly string[];
  readonly version: number;
  /** Missing on the halves of flags. */
  readonly group?: number;
  readonly skins?: readonly Row[];
}
type Shortcodes = Readonly<Record<string, string | readonly string[]>>;

const MODULE = 'virtual:emoji';
/** Version of Unicode's emoji that servers know and systems draw: it is from 2022. */
const VERSION_MAX = 15;
/** Skin tones and hair, which are parts of emoji. */
const COMPONENTS = 2;
const ONE_EMOJI = /^\p{RGI_Emoji}$/v;
const TONES = [0x1f3fb, 0x1f3fc, 0x1f3fd, 0x1f3fe, 0x1f3ff];

const require = createRequire(import.meta.url);

/**
 * The module `virtual:emoji`: a row for each emoji, as `web/src/emoji/emoji.ts` reads it. A tenth of the package's data,
 * with the names of both languages.
 */
export const emojiData = (): Plugin => ({
  name: 'emoji-data',
  resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
  load: (id) =>
    id === `\0${MODULE}` ? `export default ${JSON.stringify(JSON.stringify(emojiRows()))};` : undefined,
});

/** The rows in the order of keyboards. */
export function emojiRows() {
  const english: readonly Row[] = require('emojibase-data/en/data.json');
  const japanese = byCode(require('emojibase-data/ja/data.json'));
  const [github, own]: Shortcodes[] = [
    require('emojibase-data/en/shortcodes/github.json'),
    require('emojibase-data/en/shortcodes/emojibase.json'),
  ];
  return english.flatMap((row) => {
    const { hexcode, emoji, group, version, label, tags = [] } = row;
    const character = qualified(emoji);
    if (group === undefined || group === COMPONENTS || version > VERSION_MAX || character === undefined)
      return [];
    const named = japanese.get(hexcode);
    const codes = [...new Set([github?.[hexcode] ?? [], own?.[hexcode] ?? []].flat())];
    const words = [...tags, ...(named?.tags ?? [])].join(' ');
    return [
      [
        character,
        group,
        label,
        named?.label ?? label,
        words,
        codes.join(' '),
        hasTones(row, character) ? 1 : 0,
      ],
    ];
  });
}

const byCode = (list: readonly Row[]) => new Map(list.map((row) => [row.hexcode, row]));

/** With the variation selectors that Unicode requires, and no others. */
const qualified = (emoji: string): string | undefined =>
  [emoji, emoji.replaceAll('\uFE0F', '')].find((one) => ONE_EMOJI.test(one));

/** Whether a tone after the first character makes each of the emoji with one skin tone. */
function hasTones({ skins = [] }: Row, character: string): boolean {
  const known = new Set(skins.map(({ emoji }) => qualified(emoji)));
  const [first = '', ...rest] = character;
  const after = rest.join('').replace(/^\uFE0F/, '');
  return TONES.every((tone) => known.has(`${first}${String.fromCodePoint(tone)}${after}`));
}
