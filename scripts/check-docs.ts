/**
 * Checks the documents: they must not name missing files, headings or groups of tests, nor leave out environment
 * variables, nor have lines of prose that are too long.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

const documents = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)));

/** `[text](path)`, `src="path"` and `srcset="path"`, except for links to other sites. */
const LINK = /(?:\]\(|src(?:set)?=")(?!https?:|#|mailto:)([^)"#\s]+)/g;
/** A file of the project that a text names without a link. */
const NAMED = /`((?:src|test|web|scripts|bench|docs|schema|assets)\/[\w./-]+)`/g;
/** `[text](path#heading)`, or `[text](#heading)` in the same document. */
const HEADING = /\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g;

/** The anchors of a document's headings. */
const headings = (file: string): string[] =>
  [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\-_ ]/gu, '')
      .replaceAll(' ', '-'),
  );

const problems = documents.flatMap((file) => {
  const text = read(file);
  const linked = [...text.matchAll(LINK)].map(([, path = '']) => join(dirname(file), path));
  const named = [...text.matchAll(NAMED)].map(([, path = '']) => path);
  const files = [...linked, ...named].filter((path) => !existsSync(join(root, path)));
  const anchors = [...text.matchAll(HEADING)]
    .map(([, path = '', heading = '']) => ({ to: path === '' ? file : join(dirname(file), path), heading }))
    .filter(({ to, heading }) => existsSync(join(root, to)) && !headings(to).includes(heading))
    .map(({ to, heading }) => `${to}#${heading}`);
  return [...files, ...anchors].map((path) => `${file}: there is no ${path}`);
});

const LINE_MAX = 120;
/** `docs/api.md` is generated. */
const WRAPPED = /^(?:docs\/(?!api\.md$)|(?:README|CONTRIBUTING|bench\/README)\.md$)/;
const FENCE = /^\s*(?:```|~~~)/;
/** The beginning of a block of HTML, which a link in angle brackets is not. */
const HTML = /^\s*<(?![a-z][^\s>]*[:@])[a-z/!]/i;
/** A row of a table, a heading, or a link's definition. */
const ONE_LINE = /^\s*(?:\||#{1,6} |\[[^\]]+\]:)/;
/** The beginning of a line: its indent, and the mark of an item of a list. */
const BEGINNING = /^\s*(?:(?:[-*+]|\d+[.)])\s+)?/;

/** The numbers of the lines of prose that are too long, except those of a single word, such as a long link. */
function longLines(file: string): number[] {
  const found: number[] = [];
  let inCode = false;
  let inHtml = false;
  for (const [i, line] of read(file).split('\n').entries()) {
    const isFence = FENCE.test(line);
    if (isFence) inCode = !inCode;
    // A block of HTML ends at an empty line. In code there is none.
    inHtml = !inCode && !isFence && line.trim() !== '' && (inHtml || HTML.test(line));
    if (inCode || inHtml || line.length <= LINE_MAX || ONE_LINE.test(line)) continue;
    if (line.replace(BEGINNING, '').trim().includes(' ')) found.push(i + 1);
  }
  return found;
}

for (const file of documents.filter((one) => WRAPPED.test(one))) {
  for (const line of longLines(file)) problems.push(`${file}:${line}: wrap prose at ${LINE_MAX} characters`);
}

/** A file of tests, and in parentheses the groups in it that hold what a row of docs/hardening.md says. */
const TESTED = /`(test\/[\w./-]+\.test\.ts)` \(([^)]+)\)/g;
for (const [, file = '', groups = ''] of read('docs/hardening.md').matchAll(TESTED)) {
  const tests = existsSync(join(root, file)) ? read(file) : '';
  for (const group of groups.split(', ')) {
    if (!tests.includes(`describe('${group}'`)) problems.push(`docs/hardening.md: ${file} has no ${group}`);
  }
}

const pictures = readdirSync(join(root, 'docs/images'));
for (const picture of pictures) {
  if (!documents.some((file) => read(file).includes(picture)))
    problems.push(`docs/images/${picture}: no document shows it`);
}

const variables = [...read('src/variables.ts').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
  ([, name = '']) => name,
);
const readme = read('README.md');
for (const name of variables) {
  // It only replaces AWS_REGION, so the documents need not name it.
  if (name !== 'AWS_DEFAULT_REGION' && !readme.includes(`\`${name}\``) && !readme.includes(`${name}=`))
    problems.push(`README.md: ${name} is not in the configuration`);
}

if (problems.length > 0) {
  process.stdout.write(`${problems.join('\n')}\n`);
  process.exitCode = 1;
}
