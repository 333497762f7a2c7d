/** Holds an answer against what the oracle says to a question. */
import type { Verdict } from './oracle.ts';
import type { Asked, Question } from './questions.ts';
import { isCode } from './questions.ts';
import type { Answer } from './transports.ts';
import { nameOf } from './ways.ts';

/** What somebody sees a value of is not only refused to everybody. */
export type Seen = Set<string>;

/** A cell of the matrix that is not as it should be. */
export interface Wrong {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

export type Fields = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** What is in a value: a page's nodes, a list's items, one thing; nothing that is null. */
export function contentsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(contentsOf);
  if (isObject(value) && Array.isArray(value.edges)) {
    return value.edges.flatMap((edge: unknown) => (isObject(edge) ? contentsOf(edge.node) : []));
  }
  return value === null || value === undefined ? [] : [value];
}

export const objectsIn = (value: unknown): Fields[] => contentsOf(value).filter(isObject);

interface Told {
  readonly code: string;
  /** The fields that lead to it, without those that only give the answer its form. */
  readonly at: string;
}

/** The errors beneath one field of the answer's root. */
export function errorsAt(alias: string, { errors }: Answer): Told[] {
  return errors
    .filter(({ path }) => path?.[0] === alias)
    .map(({ path = [], extensions }) => ({
      code: extensions?.code ?? 'an error without a code',
      at: path
        .slice(1)
        .filter((part) => typeof part === 'string' && part !== 'edges' && part !== 'node')
        .join('.'),
    }));
}

export const listed = (told: readonly Told[]): string =>
  told.map(({ code, at }) => (at === '' ? code : `${code} at ${at}`)).join(', ');

export interface Judging {
  readonly answer: Answer;
  /** The question's alias in the document. */
  readonly alias: string;
  /** The global id of the user who asks. */
  readonly viewer: string;
  /** The global id of the room: what must not be in a list where it is `unlisted`. */
  readonly room: string;
  readonly seen: Seen;
}

/** What is wrong with the answer to one question. */
export function judge(question: Question, judging: Judging): Wrong[] {
  const { way, verdicts, asked } = question;
  const { answer, alias, room } = judging;
  const told = errorsAt(alias, answer);
  const stop = verdicts.findIndex((verdict) => verdict !== 'value');
  const refused = stop < 0 ? asked.find(({ verdict }) => isCode(verdict)) : undefined;
  const verdict = stop < 0 ? (refused?.verdict ?? 'value') : (verdicts[stop] as Verdict);
  const what = refused === undefined ? nameOf(way) : `${nameOf(way)} › ${refused.name}`;
  const wrong = (expected: string, got: string): Wrong[] => [{ what, expected, got }];

  // As far as it should go, and no further.
  const levels: Fields[][] = [objectsIn(isObject(answer.data) ? answer.data[alias] : undefined)];
  for (const { field } of way.steps.slice(1)) {
    levels.push((levels.at(-1) ?? []).flatMap((object) => objectsIn(object[field])));
  }
  const objects = levels.at(-1) ?? [];
  // What leads to where it ends may hold nothing to ask on.
  const isSparse = way.steps
    .slice(0, isCode(verdict) && stop >= 0 ? stop : undefined)
    .some(({ sparse }) => sparse === true);

  if (isCode(verdict)) {
    const steps = stop < 0 ? [...way.steps.slice(1), refused] : way.steps.slice(1, stop + 1);
    const at = steps.map((step) => step?.field).join('.');
    if (told.length === 0 && isSparse && objects.length === 0) return [];
    const good = told.length > 0 && told.every((one) => one.code === verdict && one.at === at);
    return good && objects.length === 0 ? [] : wrong(verdict, told.length > 0 ? listed(told) : 'a value');
  }
  if (told.length > 0) return wrong(verdict === 'value' ? 'a value' : verdict, listed(told));
  if (verdict === 'unlisted') {
    const found = objects.some(({ id }) => id === room);
    return found ? wrong('a list without the room', 'one with it') : [];
  }
  if (stop >= 0) return (levels[stop] ?? []).length === 0 ? [] : wrong('null', 'a value');
  if (objects.length === 0) return isSparse ? [] : wrong('a value', 'nothing');
  for (const { name } of way.steps) judging.seen.add(name);
  return judgeFields(asked, objects, judging).map(({ what: field, ...one }) => ({
    what: `${nameOf(way)} › ${field}`,
    ...one,
  }));
}

export interface JudgingFields {
  readonly viewer: string;
  readonly seen: Seen;
  /** Whether there is something of everything to be told of. */
  readonly plenty?: boolean;
}

/** What is wrong with the fields of objects that there are. */
export function judgeFields(
  asked: readonly Asked[],
  objects: readonly Fields[],
  { viewer, seen, plenty = true }: JudgingFields,
): Wrong[] {
  return asked.flatMap(({ name, field, row, verdict }): Wrong[] => {
    const full = objects.filter((object) => contentsOf(object[field]).length > 0);
    if (full.length > 0) seen.add(name);
    if (verdict === 'own') {
      const isMine = ({ whose }: Fields) => isObject(whose) && whose.id === viewer;
      const good = objects.every((object) => full.includes(object) === isMine(object));
      return good ? [] : [{ what: name, expected: "a value of one's own, null of others", got: 'not so' }];
    }
    if (verdict === 'null')
      return full.length === 0 ? [] : [{ what: name, expected: 'null', got: 'a value' }];
    return full.length > 0 || row.sparse === true || !plenty
      ? []
      : [{ what: name, expected: 'a value', got: 'null, or nothing' }];
  });
}

/** What of these stands in the answer to one question. */
export function leaksIn(alias: string, { data, errors }: Answer, secrets: readonly string[]): string[] {
  const told = JSON.stringify([
    isObject(data) ? data[alias] : null,
    errors.filter(({ path }) => path === undefined || path[0] === alias),
  ]);
  return secrets.filter((secret) => told.includes(secret));
}
