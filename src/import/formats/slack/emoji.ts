/** Slack's names of emoji, which are those of iamcal. */
import names from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };
import { emojiOf } from '../../../reactions/stamps/emoji.ts';

const TONE = /^(.+)::skin-tone-([2-6])$/;
const FIRST_TONE = 0x1f3fb;

let byName: Map<string, string> | undefined;

/** The emoji with the name, such as `+1::skin-tone-3`. Undefined: there is none, or the workspace made it itself. */
export function emojiNamed(name: string): string | undefined {
  byName ??= new Map(
    Object.entries(names as Readonly<Record<string, string | readonly string[]>>).flatMap(([code, own]) => {
      const emoji = String.fromCodePoint(...code.split('-').map((part) => Number.parseInt(part, 16)));
      return [own].flat().map((one): [string, string] => [one, emoji]);
    }),
  );
  const [, base = name, tone] = TONE.exec(name) ?? [];
  const emoji = byName.get(base);
  if (emoji === undefined || tone === undefined) return emoji === undefined ? undefined : emojiOf(emoji);
  const toned = `${emoji.replace('\uFE0F', '')}${String.fromCodePoint(FIRST_TONE + Number(tone) - 2)}`;
  return emojiOf(toned) ?? emojiOf(emoji);
}

/** `:tada:` as the emoji. Other text between colons stays. */
export const withEmoji = (text: string): string =>
  text.replace(
    /:([a-z0-9_+'-]+(?:::skin-tone-[2-6])?):/g,
    (whole, name: string) => emojiNamed(name) ?? whole,
  );
