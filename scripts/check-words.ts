/**
 * `npm run words`: refuses words and phrases that are not plain English in comments, descriptions, messages, test
 * names and documents. The list is scripts/words/rules.ts.
 *
 * `tsx scripts/check-words.ts [--count] [folder or file …]`: checks all files of the project if none is named. With
 * `--count` it prints the number of findings per folder and word instead of each place.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Finding, findWords } from './words/find.ts';

/** The list itself contains the words. */
const LEFT_OUT = /(?:^|\/)generated\/|^assets\/|^(?:infra\/)?package-lock\.json$|^scripts\/words\/rules\.ts$/;

function countsOf(findings: readonly Finding[]): string {
  const counts = new Map<string, Map<string, number>>();
  const add = (folder: string, rule: string) => {
    const ofFolder = counts.get(folder) ?? new Map<string, number>();
    counts.set(folder, ofFolder.set(rule, (ofFolder.get(rule) ?? 0) + 1));
  };
  for (const { file, rule } of findings) add(file.split('/', 1)[0] ?? file, rule);
  return [...counts]
    .map(([folder, ofFolder]) => {
      const sum = [...ofFolder.values()].reduce((total, count) => total + count, 0);
      const rows = [...ofFolder].sort(([, one], [, other]) => other - one);
      return [
        `${folder}: ${sum}`,
        ...rows.map(([rule, count]) => `${String(count).padStart(6)}  ${rule}`),
      ].join('\n');
    })
    .join('\n');
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'boolean', default: false } },
});

const files = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...positionals],
  { encoding: 'utf8', maxBuffer: 10_000_000 },
)
  .split('\0')
  .filter((file) => file !== '' && !LEFT_OUT.test(file) && existsSync(file));

const findings = [...new Set(files)].flatMap((file) => findWords(file, readFileSync(file, 'utf8')));
if (findings.length > 0) {
  const places = findings.map(
    ({ file, line, words, instead }) => `${file}:${line}: "${words}". Write: ${instead}`,
  );
  process.stdout.write(`${values.count ? countsOf(findings) : places.join('\n')}\n`);
  process.stdout.write(`${findings.length} in ${new Set(findings.map(({ file }) => file)).size} files\n`);
  process.exitCode = 1;
}
