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

/** On the line of a finding, or on the one before it: `words: allow` and the reason, for what quotes others. */
const ALLOWED = /words: allow\s+\S/;

const ENDS_SENTENCE = /(?:^|[.!?])\s*$/;
/** Long enough for the space between two sentences on two lines. */
const LOOK_BACK = 200;

/** Whether a sentence begins at `index` that is not a question. */
const beginsStatement = (text: string, index: number): boolean =>
  ENDS_SENTENCE.test(text.slice(Math.max(0, index - LOOK_BACK), index)) &&
  !/^[^.!?]*\?/.test(text.slice(index));

const MARGIN = /\n[ \t]*(?:\*|\/\/+|#+)/g;

/** Most files break no rule, and parsing them is what takes long. `begins` and what is prose are not looked at. */
function mayBreak(source: string): Rule[] {
  const joined = source.replace(MARGIN, '\n');
  return rules.filter(({ pattern, hint = pattern }) => joined.search(hint) !== -1);
}

/** What the rules refuse in a file. At most one finding per place, in the order of the file. */
export function findWords(file: string, source: string): Finding[] {
  const broken = mayBreak(source);
  if (broken.length === 0) return [];
  const lines = source.split('\n');
  const found = new Map<number, Finding>();
  for (const { start, text } of textsOf(file, source)) {
    for (const { name, pattern, instead, begins } of broken) {
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
