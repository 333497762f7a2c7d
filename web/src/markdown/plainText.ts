import type { Block, Inline } from './parse.ts';

/** The words of a formatted text in one line. */
export const plainText = (blocks: readonly Block[]): string =>
  blocks.map(textOfBlock).join(' ').replace(/\s+/g, ' ').trim();

function textOfBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return block.inline.map(textOfInline).join('');
    case 'code':
      return block.text;
    case 'gap':
      return '';
    case 'quote':
      return plainText(block.blocks);
    case 'list':
      return block.items.map(({ blocks }) => plainText(blocks)).join(' ');
  }
}

function textOfInline(part: Inline): string {
  switch (part.kind) {
    case 'text':
    case 'code':
      return part.text;
    case 'break':
      return ' ';
    default:
      return part.inline.map(textOfInline).join('');
  }
}
