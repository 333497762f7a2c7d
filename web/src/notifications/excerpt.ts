import { type Block, type Inline, parse } from '../markdown/parse.ts';

/** In characters: more than fits on two lines. */
const LONGEST = 200;

/** The start of a message on one line, without its markup. */
export function excerptOf(body: string): string {
  const text = parse(body.slice(0, 2 * LONGEST))
    .map(blockText)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...text];
  return characters.length > LONGEST ? `${characters.slice(0, LONGEST).join('')}…` : text;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return inlineText(block.inline);
    case 'quote':
      return block.blocks.map(blockText).join(' ');
    case 'list':
      return block.items.map(({ blocks }) => blocks.map(blockText).join(' ')).join(' · ');
    case 'code':
      return block.text;
    case 'gap':
      return '';
  }
}

const inlineText = (inline: readonly Inline[]): string =>
  inline
    .map((part) => {
      if (part.kind === 'break') return ' ';
      return 'text' in part ? part.text : inlineText(part.inline);
    })
    .join('');
