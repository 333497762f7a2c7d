/** Slack's markup as our text. */
import { MENTIONS_MAX, storedMention } from '../../../messages/mentions.ts';
import { withEmoji } from './emoji.ts';

export interface TextOptions {
  /** The table's id of a person; undefined if they are not in the export. */
  readonly person: (id: string) => string | undefined;
  readonly channelName: (id: string) => string | undefined;
}

export interface ConvertedText {
  /** With mentions as the table stores them. */
  readonly body: string;
  readonly mentions: readonly string[];
}

const CONTROL = /(?![\t\n])\p{Cc}/gu;
const MARKUP = /<([^<>]*)>/g;

/**
 * `<@U1>` is a mention, `<#C1|general>` is `#general`, `<!here>` is `@here`, `<https://x|label>` is `label
 * (https://x)`, and `:tada:` is the emoji. Bold, italics, code and quotes are marked in the same way, and stay as they
 * are.
 */
export function convertedText(text: string, { person, channelName }: TextOptions): ConvertedText {
  const mentions = new Set<string>();

  function mentionOf(id: string, label: string | undefined): string {
    const user = person(id);
    const name = `@${label ?? id}`;
    if (user === undefined || (mentions.size === MENTIONS_MAX && !mentions.has(user))) return name;
    mentions.add(user);
    return storedMention(user);
  }

  function markup(whole: string, inner: string): string {
    const bar = inner.indexOf('|');
    const [target, label] = bar < 0 ? [inner, undefined] : [inner.slice(0, bar), inner.slice(bar + 1)];
    if (target.startsWith('@')) return mentionOf(target.slice(1), label);
    if (target.startsWith('#')) return `#${label || (channelName(target.slice(1)) ?? target.slice(1))}`;
    if (target.startsWith('!')) return label ?? `@${target.slice(1).split('^')[0]}`;
    if (!/^[a-z][a-z0-9+.-]*:/i.test(target)) return whole;
    const address = target.replace(/^(?:mailto|tel):/, '');
    return label === undefined || label === address || label === target ? address : `${label} (${address})`;
  }

  const clean = text.toWellFormed().replace(/\r\n?/g, '\n').replace(CONTROL, '');
  // What is between angle brackets first: in the rest they are written as entities.
  const body = withEmoji(clean.replace(MARKUP, markup))
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
  return { body, mentions: [...mentions] };
}
