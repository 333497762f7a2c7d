import { describe, expect, test } from 'vitest';
import { findWords } from '../../scripts/words/find.ts';

const found = (file: string, ...lines: string[]) =>
  findWords(file, lines.join('\n')).map(({ line, words }) => `${line}: ${words}`);

/** The part of a template that is code. */
const hole = (code: string) => `\${${code}}`;

/** What is refused in one sentence of a comment. */
const inComment = (sentence: string) => findWords('a.ts', `/** ${sentence} */`).map(({ rule }) => rule);

describe('findWords: which texts it reads', () => {
  test('comments of code, with the line of the word', () => {
    expect(
      found('a.ts', '// Fine.', 'f(); // Nobody.', '/**', ' * One,', ' * so', ' * many.', ' */', 'nobody();'),
    ).toEqual(['2: Nobody', '5: so many']);
  });

  test('comments on lines that follow each other are one text', () => {
    expect(found('a.ts', '// There are so', '// many.', 'f();', '// Up to so', 'f();', '// many.')).toEqual([
      '1: so many',
    ]);
  });

  test('what looks like a comment in a string, a template, an expression or JSX is not one', () => {
    expect(
      found(
        'test/a.tsx',
        "const a = '// nobody';",
        `const b = \`/* nobody */ ${hole('c /* nobody */')}\`;`,
        'const d = /\\/\\* nobody/;',
        'const e = <p>// nobody</p>;',
      ),
    ).toEqual(['2: nobody']);
  });

  test('strings of the source, but not of tests or of demo data', () => {
    const line = "throw new Error('Nobody is here', 'nobody');";
    expect(found('src/a.ts', line)).toEqual(['1: Nobody', '1: nobody']);
    expect(found('test/a.ts', line)).toEqual([]);
    expect(found('src/demo/a.ts', line)).toEqual([]);
  });

  test('strings of one word, only for words that no value in code would have', () => {
    expect(found('src/a.ts', "f('told', 'lie', 'somebody')")).toEqual(['1: somebody']);
  });

  test('descriptions of one word, and parts of templates', () => {
    expect(found('src/a.ts', "t.id({ description: 'Which.' });", `f(\`At ${hole('n')} nobody.\`);`)).toEqual([
      '1: Which',
      '2: nobody',
    ]);
  });

  test('names of tests, also of tables, and nothing else of a test', () => {
    expect(
      found(
        'test/a.test.ts',
        "describe('nobody', () => {",
        "  it.each([['nobody']])('told %s', () => f('nobody is'));",
        `  test.skipIf(x)(\`hears ${hole('y')}\`, () => {});`,
        '});',
      ),
    ).toEqual(['1: nobody', '2: told', '3: hears']);
  });

  test('prose of documents, without code, links and comments', () => {
    expect(
      found(
        'docs/a.md',
        '# Told',
        '## Where it is',
        '`told` [a](told.md) and a table:',
        '| told | `told` |',
        '```',
        'told',
        '```',
        '<!-- told -->',
        '- one so',
        '  many',
      ),
    ).toEqual(['1: Told', '4: told', '9: so many']);
  });

  test('descriptions of the schema, and comments of styles, scripts and configurations', () => {
    expect(
      found(
        'schema/a.graphql',
        '"""What `x` answers."""',
        'type Told {',
        '  """Which."""',
        '  told: ID',
        '}',
      ),
    ).toEqual(['1: What `…` answers', '3: Which']);
    expect(found('a.css', '/* told */', '.told { color: #told }')).toEqual(['1: told']);
    expect(found('.ci/run', '#!/bin/sh', 'told # told')).toEqual(['2: told']);
    expect(found('a.yml', 'told: 1 # told')).toEqual(['1: told']);
    expect(found('a.json', '{ "told": 1 }')).toEqual([]);
  });

  test('leaves a line alone that says "words: allow" and why, and the one after it', () => {
    expect(
      found(
        'a.ts',
        '// "told", words: allow quotes the RFC',
        'f();',
        '// words: allow quotes',
        '// told',
        '// told',
      ),
    ).toEqual(['5: told']);
    expect(found('a.ts', '// "told", words: allow')).toEqual(['1: told']);
  });
});

describe('findWords: what it refuses', () => {
  test.each([
    ['The caller is told.', 'tell'],
    ['It cannot be told from the other.', 'tell'],
    ['Which.', 'fragment'],
    ['The page. Who.', 'fragment'],
    ['What `x` answers.', 'What … answers'],
    ['Who has left gets nothing.', 'Who …'],
    ['The events. Whose read is done, begins again.', 'Who …'],
    ['The line for who is banned.', 'who has'],
    ['The user of whom it was said.', 'whom'],
    ['The room as it is now.', 'as it is now'],
    ['Read anew.', 'anew'],
    ['The end: went it on, it would fail.', 'inverted condition'],
    ["A like of one's own.", "one's own"],
    ['Where the bus is away, it waits.', 'where (if)'],
    ['Absent where nothing is read.', 'where (if)'],
    ['It waits, where there is a lock.', 'where (if)'],
    ['Refused where it is full.', 'where (if)'],
    ['Twice is no error.', 'is no X'],
    ['The caller is no member.', 'is no X'],
    ['The room is no more.', 'is no more'],
    ['It takes no more, and ends.', 'no more'],
    ['In English else.', 'trailing else'],
    ['As it was chosen, else in English.', 'trailing else'],
    ['The value stands in the table.', 'stand'],
    ['What lies between.', 'lie'],
    ['A room bears a thousand.', 'bear'],
    ['The owner and two besides.', 'besides'],
    ['What the records would have led to.', 'would have led'],
    ['Changes of which some are unreadable.', 'of which some'],
    ['It continues all the same.', 'all the same'],
    ['It is kept for ever.', 'for ever'],
    ['It shall not delay.', 'shall'],
    ['Of the message when it was read.', 'Of …'],
  ])('%s', (sentence, rule) => {
    expect(inComment(sentence)).toContain(rule);
  });

  test.each([
    'The file where it is stored.',
    'It knows where they are, and says where it was.',
    'Where is it?',
    'Who has read it?',
    'The user who has read it, and users who may.',
    'There is no room, and there are no more.',
    'It is no longer than 50, no more than 20, and no less.',
    'It tells the two streams apart.',
    'A reply stands for its root. A stand-in.',
    'It relies on nothing else. No one else is there.',
    'As long as it is open.',
    'It is no different from a root.',
    'Called for every event. The keys are all the same size.',
    'Of two copies, the newer one wins.',
    'They said that they were there, and went there.',
    'The name `nobody` and the field `told`.',
  ])('not: %s', (sentence) => {
    expect(inComment(sentence)).toEqual([]);
  });
});
