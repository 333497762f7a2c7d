import { Lexer, type Token, type Tokens } from 'marked';
import { BoundedTokenizer } from './BoundedTokenizer.ts';

/** The parts of a message's text: plain text and a small subset of Markdown. */
export type Block =
  | { readonly kind: 'paragraph'; readonly inline: readonly Inline[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly start: number;
      readonly items: readonly ListItem[];
    }
  /** `language`: as written after the opening fence, or empty. */
  | { readonly kind: 'code'; readonly text: string; readonly language: string }
  /** Empty lines. */
  | { readonly kind: 'gap'; readonly lines: number };

export interface ListItem {
  readonly blocks: readonly Block[];
  /** Of a task, written as `[ ]` or `[x]`. Undefined for other items. */
  readonly checked: boolean | undefined;
}

export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly inline: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly inline: readonly Inline[] };

/** More empty lines than these are not shown. */
const MOST_EMPTY_LINES = 10;

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:']);

/**
 * Parses a message's text into a tree with `marked`'s lexer. No HTML is ever produced. Markup outside the subset
 * (headings, tables, images, HTML) stays as it was written. So do links other than http, https and mailto, and
 * markup that would take too long (see `BoundedTokenizer`).
 */
export function parse(body: string): Block[] {
  const text = body.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return blocksOf(new Lexer({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() }).lex(text));
}

const blocksOf = (tokens: readonly Token[]): Block[] => tokens.flatMap(blockOf);

function blockOf(token: Token): Block[] {
  switch (token.type) {
    case 'space':
      return gapOf(token);
    case 'code':
      // In a chat, four spaces at the start of a line do not mean code.
      return token.codeBlockStyle === 'indented'
        ? [written(token)]
        : [{ kind: 'code', text: token.text, language: token.lang ?? '' }];
    case 'blockquote':
      return [{ kind: 'quote', blocks: blocksOf(token.tokens ?? []) }];
    case 'list':
      return [listOf(token as Tokens.List)];
    case 'paragraph':
    case 'text':
      return [{ kind: 'paragraph', inline: inlineOf(token.tokens ?? []) }];
    default:
      return [written(token)];
  }
}

const listOf = ({ ordered, start, items }: Tokens.List): Block => ({
  kind: 'list',
  ordered,
  start: start === '' ? 1 : start,
  items: items.map(({ tokens, checked }) => ({
    // The box of a task is a token of its own, and empty lines between the items are not part of them.
    blocks: blocksOf(tokens.filter(({ type }) => type !== 'checkbox' && type !== 'space')),
    checked,
  })),
});

/** The first line break ends the line before. */
function gapOf({ raw }: Token): Block[] {
  const lines = Math.min(raw.split('\n').length - 2, MOST_EMPTY_LINES);
  return lines > 0 ? [{ kind: 'gap', lines }] : [];
}

const written = ({ raw }: Token): Block => ({
  kind: 'paragraph',
  inline: raw
    .trimEnd()
    .split('\n')
    .flatMap((line, index): Inline[] => [
      ...(index === 0 ? [] : [{ kind: 'break' } as const]),
      { kind: 'text', text: line },
    ]),
});

const inlineOf = (tokens: readonly Token[]): Inline[] =>
  tokens.flatMap((token) => (token.type === 'br' ? lineBreak(token) : inlineToken(token)));

/** A line break, and the indentation of the line after it. */
function lineBreak({ raw }: Token): Inline[] {
  const indentation = raw.slice(raw.lastIndexOf('\n') + 1);
  return [{ kind: 'break' }, ...(indentation === '' ? [] : [{ kind: 'text', text: indentation } as const])];
}

function inlineToken(token: Token): Inline {
  switch (token.type) {
    case 'strong':
      return { kind: 'strong', inline: inlineOf(token.tokens ?? []) };
    case 'em':
      return { kind: 'emphasis', inline: inlineOf(token.tokens ?? []) };
    case 'del':
      return { kind: 'deleted', inline: inlineOf(token.tokens ?? []) };
    case 'codespan':
      return { kind: 'code', text: token.text };
    case 'escape':
      return { kind: 'text', text: token.text };
    case 'link':
      return isSafe(token.href)
        ? { kind: 'link', href: token.href, inline: inlineOf(token.tokens ?? []) }
        : { kind: 'text', text: token.raw };
    default:
      return { kind: 'text', text: token.raw };
  }
}

const isSafe = (href: string) => URL.canParse(href) && SAFE_PROTOCOLS.has(new URL(href).protocol);
