/** Finds the prose in a file: comments, descriptions, messages, test names, and the text of documents. */
import { createRequire } from 'node:module';
import type * as TypeScript from 'typescript';
import { CODE } from './rules.ts';

/** Not by `import`, which would first parse nine megabytes for the names of the exports and take a second longer. */
const ts: typeof TypeScript = createRequire(import.meta.url)('typescript');

/** A piece of prose. `start` is the index of its first character in the file. */
export interface Text {
  readonly start: number;
  readonly text: string;
  /** It is a string literal of one word, which may be a text or a value in code. */
  readonly oneWord?: true;
}

type Range = readonly [start: number, end: number];

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');
const asCode = (text: string): string => text.replace(/[^\n]/g, CODE);
/** Code in backquotes is not prose. */
const withoutCode = (text: string): string => text.replace(/`[^`\n]+`/g, asCode);

/** A comment without its `//`, `#`, `*` and `/*`. All positions stay. */
const uncommented = (comment: string): string =>
  comment.replace(/^\/\*+|\*+\/$/g, blank).replace(/^(\s*)(?:\*|\/\/+|#+)/gm, blank);

/** Comments on consecutive lines are one text. */
function comments(source: string, found: readonly Range[]): Text[] {
  const joined: [number, number][] = [];
  for (const [start, end] of found) {
    const last = joined.at(-1);
    if (last !== undefined && /^[ \t]*\n?[ \t]*$/.test(source.slice(last[1], start))) last[1] = end;
    else joined.push([start, end]);
  }
  return joined.map(([start, end]) => ({ start, text: withoutCode(uncommented(source.slice(start, end))) }));
}

const TEST = /^(?:it|test|describe)$/;

/** Properties whose text is prose even if it is one word. */
const DESCRIBES = /^(?:description|deprecationReason|means|message)$/;

/** Returns `it` for `it.each(table)('name')`. */
function callee(expression: TypeScript.Expression): string {
  let inner = expression;
  while (!ts.isIdentifier(inner)) {
    if (ts.isPropertyAccessExpression(inner) || ts.isCallExpression(inner)) inner = inner.expression;
    else if (ts.isTaggedTemplateExpression(inner)) inner = inner.tag;
    else return '';
  }
  return inner.text;
}

interface CodeOptions {
  readonly file: string;
  /** Whether users or operators read its strings. If not, only the names of tests are prose. */
  readonly strings: boolean;
}

function codeTexts(source: string, { file, strings }: CodeOptions): Text[] {
  const options = {
    languageVersion: ts.ScriptTarget.Latest,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
  };
  const tree = ts.createSourceFile(file, source, options);
  /** The literals. Text in them that looks like a comment is not one. */
  const literals: Range[] = [];
  const found: Text[] = [];
  const addText = (node: TypeScript.Node, kind: Pick<Text, 'oneWord'> = {}) => {
    const [start, end] = [node.getStart(tree) + 1, node.getEnd() - 1];
    found.push({ start, text: withoutCode(source.slice(start, end).replace(/\\`/g, ' `')), ...kind });
  };
  /** `named`: it is inside the name of a test. */
  const visit = (node: TypeScript.Node, named: boolean): void => {
    const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node);
    const isPart = ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);
    if (isText || isPart || ts.isRegularExpressionLiteral(node) || ts.isJsxText(node)) {
      literals.push([
        node.getFullStart() + (ts.isJsxText(node) ? 0 : node.getLeadingTriviaWidth(tree)),
        node.getEnd(),
      ]);
      if (named && (isText || isPart)) addText(node);
      else if (strings && (isText || isPart)) {
        addText(node, /\S +\S/.test(source.slice(node.pos, node.end)) ? {} : { oneWord: true });
      }
      return;
    }
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) {
      literals.push([node.getStart(tree), node.getEnd()]);
      return;
    }
    if (ts.isCallExpression(node) && TEST.test(callee(node.expression))) {
      visit(node.expression, false);
      node.arguments.forEach((argument, index) => {
        visit(
          argument,
          index === 0 && !ts.isArrayLiteralExpression(argument) && !ts.isFunctionLike(argument),
        );
      });
      return;
    }
    const described = strings && ts.isPropertyAssignment(node) && DESCRIBES.test(node.name.getText(tree));
    ts.forEachChild(node, (child) => visit(child, described || (named && !ts.isPropertyAssignment(node))));
  };
  visit(tree, false);

  const commented: Range[] = [];
  let next = 0;
  const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  for (let match = COMMENT.exec(source); match !== null; match = COMMENT.exec(source)) {
    while ((literals[next]?.[1] ?? source.length) <= match.index) next += 1;
    const inside = literals[next];
    if (inside !== undefined && inside[0] <= match.index) COMMENT.lastIndex = inside[1];
    else commented.push([match.index, match.index + match[0].length]);
  }
  return [...comments(source, commented), ...found];
}

const matches = (source: string, pattern: RegExp): Range[] =>
  [...source.matchAll(pattern)].map((match) => [match.index, match.index + match[0].length]);

/**
 * Paragraphs, headings, items of lists and cells of tables, without code. A heading keeps its `#`: it is not a
 * sentence.
 */
function markdownTexts(source: string): Text[] {
  const prose = source
    .replace(/^(\s*)```[\s\S]*?^\s*```/gm, asCode)
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/`[^`]+`/g, asCode)
    .replace(/\]\([^)\s]+\)/g, blank);
  return [...prose.matchAll(/(?:[^\n|]|\n(?!\s*\n|\s*(?:[-*|#>]|\d+\.)\s))+/g)].map(({ index, 0: text }) => ({
    start: index,
    text: text.replace(/^(\s*)(?:[-*>]+|\d+\.)\s/, blank),
  }));
}

const HASH_COMMENT = /(?<=^|\s)#(?!!).*/gm;

/**
 * The prose of a file. Empty if the type of the file is unknown. A file without an ending is recognised by its content.
 */
export function textsOf(file: string, source: string): Text[] {
  const ending = /[^/.]\.([a-z]+)$/.exec(file)?.[1] ?? '';
  if (/^[cm]?[jt]sx?$/.test(ending))
    return codeTexts(source, { file, strings: !/(?:^|\/)(?:test|demo)\//.test(file) });
  if (ending === 'css') return comments(source, matches(source, /\/\*[\s\S]*?\*\//g));
  if (ending === 'md') return markdownTexts(source);
  if (ending === 'graphql')
    return [
      ...matches(source, /"""[\s\S]*?"""/g).map(([start, end]) => ({
        start: start + 3,
        text: withoutCode(source.slice(start + 3, end - 3)),
      })),
      ...comments(source, matches(source, HASH_COMMENT)),
    ];
  if (/^(?:sh|ya?ml|toml)$/.test(ending) || file.endsWith('Dockerfile') || source.startsWith('#!'))
    return comments(source, matches(source, HASH_COMMENT));
  return [];
}
