import fc from 'fast-check';
import { Lexer, Tokenizer } from 'marked';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Block, type Inline, parse } from '../../../web/src/markdown/parse.ts';
import { excerptOf } from '../../../web/src/notifications/excerpt.ts';
import { scaled } from '../../support/budget.ts';

const LONGEST = 4_000;
const filledWith = (unit: string) => unit.repeat(LONGEST / unit.length);
const nested = (open: string, close: string) => {
  const levels = (LONGEST - 1) / (open.length + close.length);
  return `${open.repeat(levels)}a${close.repeat(levels)}`;
};
/** Quotes, each line one level less deep. */
const stairs = (levels: number) =>
  Array.from({ length: levels }, (_, index) => `${'>'.repeat(levels - index)} a`).join('\n');

/** Of a tree: one more than its children's. */
const depthOf = (part: Block | Inline): number => {
  const children = [
    ...('blocks' in part ? part.blocks : []),
    ...('items' in part ? part.items.flat() : []),
    ...('inline' in part ? part.inline : []),
  ];
  return 1 + Math.max(0, ...children.map(depthOf));
};

describe('a text that somebody wrote to hold up who reads it', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is read a bounded number of times, however its quotes end', () => {
    const read = vi.spyOn(Lexer.prototype, 'blockTokens');
    expect(parse(stairs(17)).map(({ kind }) => kind)).toEqual(['quote']);
    expect(read.mock.calls.length).toBeLessThan(1_000);
  });

  it.each([
    ['quotes', `${'>'.repeat(2_000)} a`],
    ['quoted lists', `${'> - '.repeat(999)}a`],
    ['lists', `${'- '.repeat(1_999)}a`],
    ['emphasis', nested('*', '*')],
    ['strong emphasis', nested('**a ', 'a**')],
    ['what is struck out', nested('~~a ', 'a~~')],
    ['all of them', `${'> - '.repeat(9)}${nested('*a ~~b ', 'b~~ a*').slice(0, 3_900)}`],
  ])('is not deeper than the page can be: %s', (_, text) => {
    expect(Math.max(...parse(text).map(depthOf))).toBeLessThan(20);
  });

  it.each([
    ['**あ。', 'emStrong'],
    ['*a_', 'emStrong'],
    ['~~a ', 'del'],
  ] as const)('is not looked through for the end of each mark that has none: %s', (unit, how) => {
    const look = vi.spyOn(Tokenizer.prototype, how);
    parse(filledWith(unit));
    expect(look.mock.calls.length).toBeLessThan(100);
  });

  it('is read, whatever of the marks it is made of', () => {
    const marks = fc.constantFrom(
      ...'*_~`[]()<>!#-+|:\\"&@. \t\na1あ。'.split(''),
      '> ',
      '- ',
      '1. ',
      '](',
      '```',
    );
    const texts = fc.oneof(
      fc.array(marks, { minLength: 1, maxLength: 400, size: 'max' }).map((parts) => parts.join('')),
      fc.array(marks, { minLength: 1, maxLength: 6 }).map((parts) => filledWith(parts.join(''))),
      fc
        .tuple(fc.array(marks, { minLength: 1, maxLength: 4 }), marks)
        .map(([open, close]) => nested(open.join(''), close)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(Math.max(0, ...parse(text).map(depthOf))).toBeLessThan(20);
        excerptOf(text);
      }),
      { numRuns: scaled(20) },
    );
  });
});

describe('what is marked up', () => {
  const written = (text: string) => JSON.stringify(parse(text));

  it('is quoted and listed as deep as people go, and text from there on', () => {
    expect(written('> a\n> > b\n> > - *c*')).toBe(
      JSON.stringify([
        {
          kind: 'quote',
          blocks: [
            { kind: 'paragraph', inline: [{ kind: 'text', text: 'a' }] },
            {
              kind: 'quote',
              blocks: [
                { kind: 'paragraph', inline: [{ kind: 'text', text: 'b' }] },
                {
                  kind: 'list',
                  ordered: false,
                  start: 1,
                  items: [
                    [
                      {
                        kind: 'paragraph',
                        inline: [{ kind: 'emphasis', inline: [{ kind: 'text', text: 'c' }] }],
                      },
                    ],
                  ],
                },
              ],
            },
          ],
        },
      ]),
    );
    expect(written(`${'> '.repeat(9)}deep`)).toContain('"text":"> > > deep"');
  });

  it('stands out in a long text, too, after marks that mean nothing', () => {
    expect(written(`${'2 * 3 * 4 and a_b, '.repeat(10)}**so**`)).toContain('"kind":"strong"');
  });
});
