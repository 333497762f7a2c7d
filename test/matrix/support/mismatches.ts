/** Compares answers with what the oracle expects. */
import type { Answer, LiveTransport, Transport } from './clients.ts';
import type { Cell, ReadResult } from './oracle.ts';
import { type FieldCase, isError, type PathCase } from './pathCases.ts';
import { nameOf } from './paths.ts';

/** The fields, as `Type.field`, of which at least one user got a value. Without it a test could pass on refusals. */
export type Covered = Set<string>;

/** An answer that differs from what is expected. */
export interface Mismatch {
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

export const mismatchText = ({ what, expected, got }: Mismatch): string =>
  `${what}: expected ${expected}, got ${got}`;

/** Begins the line of a mismatch. */
export const cellText = (what: string, { kind, state }: Cell, transport: Transport | LiveTransport): string =>
  `${kind} × ${what} × ${state} × ${transport}`;

export type Fields = Readonly<Record<string, unknown>>;
export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** The nodes of a page, the items of a list, or the value itself, without nulls. */
function contentsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(contentsOf);
  if (isObject(value) && typeof value.cursor === 'string' && 'node' in value) return contentsOf(value.node);
  if (isObject(value) && Array.isArray(value.edges)) {
    return value.edges.flatMap((edge: unknown) => (isObject(edge) ? contentsOf(edge.node) : []));
  }
  return value === null || value === undefined ? [] : [value];
}

export const objectsIn = (value: unknown): Fields[] => contentsOf(value).filter(isObject);

interface FieldError {
  readonly code: string;
  /** The fields on the path to it, without `edges` and `node`. */
  readonly at: string;
}

/** The errors below one field of the root. */
export function errorsAt(alias: string, { errors }: Answer): FieldError[] {
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

export const errorsText = (errors: readonly FieldError[]): string =>
  errors.map(({ code, at }) => (at === '' ? code : `${code} at ${at}`)).join(', ');

/** The answer's part that belongs to one field of the root, as text. */
export const textAt = (alias: string, { data, errors }: Answer): string =>
  JSON.stringify([
    isObject(data) ? data[alias] : null,
    errors.filter(({ path }) => path === undefined || path[0] === alias),
  ]);

/** The secrets that a text contains. */
export const leakedSecrets = (text: string, secrets: readonly string[]): string[] =>
  secrets.filter((secret) => text.includes(secret));

export interface PathContext {
  readonly answer: Answer;
  /** The alias of the path's first field in the document. */
  readonly alias: string;
  /** The viewer's global user id. */
  readonly viewer: string;
  /** The room's global id. A list for which `unlisted` is expected must not contain it. */
  readonly room: string;
  readonly covered: Covered;
}

/** The mismatches in the answer to one path case. */
export function pathMismatches(pathCase: PathCase, context: PathContext): Mismatch[] {
  const { path, steps, fields } = pathCase;
  const { answer, alias, room } = context;
  const errors = errorsAt(alias, answer);
  // The path must end at its first step that is not a value.
  const stop = steps.findIndex((expected) => expected !== 'value');
  const refused = stop < 0 ? fields.find(({ expected }) => isError(expected)) : undefined;
  const expected = stop < 0 ? (refused?.expected ?? 'value') : (steps[stop] as ReadResult);
  const what = refused === undefined ? nameOf(path) : `${nameOf(path)} › ${refused.name}`;
  const mismatch = (wanted: string, got: string): Mismatch[] => [{ what, expected: wanted, got }];

  const objectsByStep: Fields[][] = [objectsIn(isObject(answer.data) ? answer.data[alias] : undefined)];
  for (const { field } of path.steps.slice(1)) {
    objectsByStep.push((objectsByStep.at(-1) ?? []).flatMap((object) => objectsIn(object[field])));
  }
  const objects = objectsByStep.at(-1) ?? [];
  // If a step may be empty, there may be no object to request the fields of.
  const isSparse = path.steps
    .slice(0, isError(expected) && stop >= 0 ? stop : undefined)
    .some(({ sparse }) => sparse === true);

  if (isError(expected)) {
    const below = stop < 0 ? [...path.steps.slice(1), refused] : path.steps.slice(1, stop + 1);
    const at = below.map((step) => step?.field).join('.');
    if (errors.length === 0 && isSparse && objects.length === 0) return [];
    const good = errors.length > 0 && errors.every((error) => error.code === expected && error.at === at);
    if (good && objects.length === 0) return [];
    return mismatch(expected, errors.length > 0 ? errorsText(errors) : 'a value');
  }
  if (errors.length > 0) return mismatch(expected === 'value' ? 'a value' : expected, errorsText(errors));
  if (expected === 'unlisted') {
    const found = objects.some(({ id }) => id === room);
    return found ? mismatch('a list without the room', 'a list with the room') : [];
  }
  if (stop >= 0) return (objectsByStep[stop] ?? []).length === 0 ? [] : mismatch('null', 'a value');
  if (objects.length === 0) return isSparse ? [] : mismatch('a value', 'nothing');
  for (const { name } of path.steps) context.covered.add(name);
  return fieldMismatches(fields, objects, context).map(({ what: field, ...rest }) => ({
    what: `${nameOf(path)} › ${field}`,
    ...rest,
  }));
}

export interface FieldContext {
  readonly viewer: string;
  readonly covered: Covered;
  /** False if the objects may have no value in any of the fields. Default: true. */
  readonly hasValues?: boolean;
}

/** The mismatches in the fields of objects. */
export function fieldMismatches(
  fields: readonly FieldCase[],
  objects: readonly Fields[],
  { viewer, covered, hasValues = true }: FieldContext,
): Mismatch[] {
  return fields.flatMap(({ name, field, row, expected }): Mismatch[] => {
    const full = objects.filter((object) => contentsOf(object[field]).length > 0);
    if (full.length > 0) covered.add(name);
    if (expected === 'own') {
      const isOwn = ({ ownedBy }: Fields) => isObject(ownedBy) && ownedBy.id === viewer;
      const good = objects.every((object) =>
        isOwn(object) ? full.includes(object) || row.sparse === true : !full.includes(object),
      );
      if (good) return [];
      return [
        { what: name, expected: "a value if the object is the viewer's, otherwise null", got: 'not so' },
      ];
    }
    if (expected === 'null')
      return full.length === 0 ? [] : [{ what: name, expected: 'null', got: 'a value' }];
    return full.length > 0 || row.sparse === true || !hasValues
      ? []
      : [{ what: name, expected: 'a value', got: 'null or an empty list' }];
  });
}
