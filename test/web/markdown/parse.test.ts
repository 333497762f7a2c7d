import fc from 'fast-check';
import { Lexer, Tokenizer } from 'marked';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOnlyEmoji } from '../../../web/src/markdown/emoji.ts';
import { type Block, type Inline, parse } from '../../../web/src/markdown/parse.ts';
import { excerptOf } from '../../../web/src/notifications/excerpt.ts';
import { scaled } from '../../support/run/budget.ts';

const LONGEST = 4_000;
const filledWith = (unit: string) => unit.repeat(LONGEST / unit.length);
const nested = (open: string, close: string) => {
  const levels = (LONGEST - 1) / (open.length + close.length);
  return `${open.repeat(levels)}a${close.repeat(levels)}`;
};
/** Quotes in which each line is one level less deep than the line before. */
const stairs = (levels: number) =>
  Array.from({ length: levels }, (_, index) => `${'>'.repeat(levels - index)} a`).join('\n');

/** The depth of a tree. */
const depthOf = (part: Block | Inline): number => {
  const children = [
    ...('blocks' in part ? part.blocks : []),
    ...('items' in part ? part.items.flatMap(({ blocks }) => blocks) : []),
    ...('inline' in part ? part.inline : []),
  ];
  return 1 + Math.max(0, ...children.map(depthOf));
};

describe('web markdown, hostile texts', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('parse: bounds the passes over nested quotes', () => {
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
  ])('parse: bounds the depth of the tree: %s', (_, text) => {
    expect(Math.max(...parse(text).map(depthOf))).toBeLessThan(20);
  });

  it.each([
    ['**あ。', 'emStrong'],
    ['*a_', 'emStrong'],
    ['~~a ', 'del'],
  ] as const)('parse: stops searching for closing marks that do not exist: %s', (unit, how) => {
    const look = vi.spyOn(Tokenizer.prototype, how);
    parse(filledWith(unit));
    expect(look.mock.calls.length).toBeLessThan(100);
  });

  it('parse: handles any sequence of marks', () => {
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

describe('web markdown', () => {
  const written = (text: string) => JSON.stringify(parse(text));

  it('parse: nests quotes and lists to a limit, and keeps deeper marks as text', () => {
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
                    {
                      blocks: [
                        {
                          kind: 'paragraph',
                          inline: [{ kind: 'emphasis', inline: [{ kind: 'text', text: 'c' }] }],
                        },
                      ],
                    },
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

  it('parse: keeps empty lines between blocks, up to ten, and none around the text', () => {
    const gaps = (text: string) =>
      parse(text).map((block) => (block.kind === 'gap' ? block.lines : block.kind));
    expect(gaps('\n \na\n\nb\n\n\n> c\n\n')).toEqual(['paragraph', 1, 'paragraph', 2, 'quote']);
    expect(gaps(`a${'\n'.repeat(50)}b`)).toEqual(['paragraph', 10, 'paragraph']);
    expect(gaps('- a\n\n- b\n\nc')).toEqual(['list', 1, 'paragraph']);
  });

  it('parse: keeps the indentation of lines, and every space of code', () => {
    const [first] = parse('  a\n    b\n\tc');
    expect(first).toEqual({
      kind: 'paragraph',
      inline: [
        { kind: 'text', text: '  a' },
        { kind: 'break' },
        ...[
          { kind: 'text', text: '    ' },
          { kind: 'text', text: 'b' },
        ],
        { kind: 'break' },
        ...[
          { kind: 'text', text: '\t' },
          { kind: 'text', text: 'c' },
        ],
      ],
    });
    const code = '  x =  1\n\n\n\ty\n ';
    expect(parse(`\`\`\`py\n${code}\n\`\`\``)).toEqual([{ kind: 'code', language: 'py', text: code }]);
  });

  it('parse: reads tasks, done and not done', () => {
    const [list] = parse('- [ ] tea\n- [x] **rice**\n- salt');
    expect(list?.kind === 'list' && list.items.map(({ checked }) => checked)).toEqual([
      false,
      true,
      undefined,
    ]);
    expect(excerptOf('- [ ] tea\n- [x] **rice**')).toBe('tea · rice');
  });

  it.each([
    ['👍', true],
    ['👍🏽 🇯🇵 👨‍👩‍👧‍👦 1️⃣ ❤️\n🎉', true],
    ['👍'.repeat(12), true],
    ['👍'.repeat(13), false],
    ['👍 ok', false],
    ['123', false],
    ['©', false],
    ['**', false],
    [' ', false],
  ])('isOnlyEmoji: %s is %s', (text, expected) => {
    expect(isOnlyEmoji(text)).toBe(expected);
  });

  it('parse: finds addresses in Japanese, which has no spaces around them', () => {
    const linksIn = (body: string) =>
      parse(body)
        .flatMap((block) => ('inline' in block ? block.inline : []))
        .flatMap((part) => (part.kind === 'link' ? [part.href] : []));
    for (const [body, ...links] of [
      ['詳しくはhttps://example.com/aをどうぞ', 'https://example.com/aをどうぞ'],
      ['https://example.com/a、https://example.com/b。', 'https://example.com/a', 'https://example.com/b'],
      ['（https://example.com/a?b=c#d）', 'https://example.com/a?b=c#d'],
      ['「https://example.com」です', 'https://example.com'],
      ['https://example.comを見て', 'https://example.com'],
      ['http://localhost:4000を開く', 'http://localhost:4000'],
      ['www.example.comを見て', 'http://www.example.com'],
      ['https://ja.wikipedia.org/wiki/東京都', 'https://ja.wikipedia.org/wiki/東京都'],
      ['http://日本語.jp', 'http://日本語.jp'],
      ['http://日本語.jpを見て', 'http://日本語.jp'],
      ['http://総務省.jp/a.', 'http://総務省.jp/a'],
      ['https://例え.テスト/道', 'https://例え.テスト/道'],
      ['(see https://example.com/a_(b)).', 'https://example.com/a_(b)'],
      ['https://example.com/a, and aki@example.com', 'https://example.com/a', 'mailto:aki@example.com'],
      ['(https://example.com)。', 'https://example.com'],
      ['"https://example.com"を見て', 'https://example.com'],
      ['https://jr東日本.jpとhttps://www.jr東日本.jp/', 'https://jr東日本.jp', 'https://www.jr東日本.jp/'],
      // Two hosts, and one that looks like a path of another.
      ['https://example.comとexample.jpを見て', 'https://example.com'],
      ['https://example.comノexample.jp/a', 'https://example.com'],
      ['http://日本語_a.jp'],
      // As before.
      ['http://a_b.example.com/c', 'http://a_b.example.com/c'],
      ['http://me@example.com', 'http://me@example.com'],
      ['(https://example.com)', 'https://example.com'],
      // It looks like another one.
      ['http://аррle.com'],
      ['http://'],
    ] as const)
      expect([body, ...linksIn(body)]).toEqual([body, ...links]);
  });

  it('parse: finds emphasis in a long text after many unmatched marks', () => {
    expect(written(`${'2 * 3 * 4 and a_b, '.repeat(10)}**so**`)).toContain('"kind":"strong"');
  });
});
