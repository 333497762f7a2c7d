import { CODE, type Rule, rules } from './rules.ts';
import { textsOf } from './texts.ts';

export interface Finding {
  readonly file: string;
  readonly line: number;
  /** The rule's name. */
  readonly rule: string;
  /** What was found, on one line. */
  readonly words: string;
  readonly instead: string;
}

/** `words: allow` and a reason, on the line of a finding or the one before it, for quotations. */
const ALLOWED = /words: allow\s+\S/;

const ENDS_SENTENCE = /(?:^|[.!?])\s*$/;
/** How many characters before a word are read to find the end of the sentence before: more than a line's margin. */
const LOOK_BACK = 200;

/** Whether a sentence begins at `index` that is not a question. */
const beginsStatement = (text: string, index: number): boolean =>
  ENDS_SENTENCE.test(text.slice(Math.max(0, index - LOOK_BACK), index)) &&
  !/^[^.!?]*\?/.test(text.slice(index));

const MARGIN = /\n[ \t]*(?:\*|\/\/+|#+)/g;

/** The rules that a file may break. Parsing takes long, so files that match no rule anywhere are not parsed. */
function mayBreak(source: string): Rule[] {
  const joined = source.replace(MARGIN, '\n');
  return rules.filter(({ pattern, hint = pattern }) => joined.search(hint) !== -1);
}

/** The findings in a file, in its order, at most one per place. */
export function findWords(file: string, source: string): Finding[] {
  const broken = mayBreak(source);
  if (broken.length === 0) return [];
  const lines = source.split('\n');
  const found = new Map<number, Finding>();
  for (const { start, text, oneWord } of textsOf(file, source)) {
    const applied = oneWord === undefined ? broken : broken.filter((rule) => rule.oneWord);
    for (const { name, pattern, instead, begins } of applied) {
      for (const match of text.matchAll(pattern)) {
        if (begins && !beginsStatement(text, match.index)) continue;
        const at = start + match.index;
        const line = source.slice(0, at).split('\n').length;
        if (found.has(at) || ALLOWED.test(lines[line - 1] ?? '') || ALLOWED.test(lines[line - 2] ?? ''))
          continue;
        const words = match[0].replaceAll(CODE, '`').replace(/`+/g, '`…`').replace(/\s+/g, ' ').trim();
        found.set(at, { file, line, rule: name, words, instead });
      }
    }
  }
  return [...found].sort(([one], [other]) => one - other).map(([, finding]) => finding);
}
