import { type Block, type Inline, parse } from '../markdown/parse.ts';
import { allEmoji } from './allEmoji.ts';
import { CODES } from './codes.ts';
import { type Emoji, type Tone, withTone } from './emoji.ts';
import { keptTone } from './kept.ts';

/** A message's text with emoji instead of their codes. Rejects if the server has another version of the page. */
export default async function replaceCodes(body: string): Promise<string> {
  return withoutCodes(body, await allEmoji(), keptTone());
}

/** Codes stay in what the message shows as code, and in the addresses of its links. */
export function withoutCodes(body: string, all: readonly Emoji[], tone: Tone): string {
  // A place in the text is not known of what is parsed, so each of the codes is replaced by its number first.
  const numbered = replaceEach(body, (_, index) => numberOf(index));
  const literal = parse(numbered).flatMap(literalOfBlock).join('\n');
  return replaceEach(body, (codes, index) => {
    if (literal.includes(numberOf(index))) return codes;
    return codes.replace(/:([^:]+):/g, (code, name: string) => {
      const emoji = all.find((one) => one.codes.includes(name.toLowerCase()));
      return emoji === undefined ? code : withTone(emoji, tone);
    });
  });
}

/** It has no character that an address would encode. */
const numberOf = (index: number): string => `emoji-code-${index}-`;

function replaceEach(body: string, replaced: (codes: string, index: number) => string): string {
  let index = 0;
  return body.replace(CODES, (_, before: string, codes: string) => before + replaced(codes, index++));
}

function literalOfBlock(block: Block): readonly string[] {
  switch (block.kind) {
    case 'paragraph':
      return block.inline.flatMap(literalOf);
    case 'quote':
      return block.blocks.flatMap(literalOfBlock);
    case 'list':
      return block.items.flatMap(({ blocks }) => blocks.flatMap(literalOfBlock));
    case 'code':
      return [block.text, block.language];
    case 'gap':
      return [];
  }
}

function literalOf(part: Inline): readonly string[] {
  switch (part.kind) {
    case 'code':
      return [part.text];
    case 'link':
      return [part.href, ...part.inline.flatMap(literalOf)];
    case 'text':
    case 'break':
      return [];
    default:
      return part.inline.flatMap(literalOf);
  }
}
