/** How one row of the table of keys builds, ranges and parses its keys. */
import { PARTS, type Part } from './keyParts.ts';

export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/**
 * A range of sort keys, both ends included. Queries always use BETWEEN: the embedded database's `begins_with`
 * ignores case.
 */
export interface KeyRange {
  readonly pk: string;
  readonly from: string;
  readonly to: string;
}

/** The largest key suffix: `prefix` to `prefix + MAX_SUFFIX` is every key that starts with `prefix`. */
export const MAX_SUFFIX = '\u{10FFFF}';

type PartName = keyof typeof PARTS;
type Value<Name> = Name extends PartName ? Parameters<(typeof PARTS)[Name]['write']>[0] : never;
/**
 * `{message}` is `ROOT#{threadTs}#{ts}` for a root, whose two timestamps are equal, and `REPLY#{threadTs}#{ts}` for a
 * reply.
 */
type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends 'message' ? 'threadTs' | 'ts' : Name) | NamesIn<Rest>
  : never;
type PartsOf<Names extends string> = { readonly [Name in Names]: Value<Name> };
type SomeParts = Readonly<Record<string, unknown>>;

/** One type of item: the forms of its key, and the arguments that its key and its ranges are built from. */
export interface Row<Names extends string, KeyArgs extends readonly unknown[], Ranges> {
  readonly forms: readonly Form[];
  readonly key: (...args: KeyArgs) => PartsOf<Names>;
  readonly ranges: Ranges;
}

interface RowOptions<
  PkNames extends string,
  Names extends string,
  KeyArgs extends readonly unknown[],
  Ranges,
> {
  /** The parts of a key, from what a caller passes. */
  readonly key: (...args: KeyArgs) => PartsOf<Names>;
  /** Ranges of this type, by name: every key that begins with these parts. */
  readonly ranges?: Ranges &
    Readonly<Record<string, (...args: never[]) => PartsOf<PkNames> & Partial<PartsOf<Names>>>>;
  /** What must hold in addition to the templates. */
  readonly valid?: (parts: PartsOf<Names>) => boolean;
}

/**
 * A row of the table: the templates of its two keys, segments between `#`. A segment in braces is a part, and any
 * other one is literal.
 */
export function row<
  Pk extends string,
  Sk extends string,
  KeyArgs extends readonly unknown[],
  Ranges extends object = Record<never, never>,
>(
  pk: Pk,
  sk: Sk,
  { key, ranges, valid }: RowOptions<NamesIn<Pk>, NamesIn<Pk | Sk>, KeyArgs, Ranges>,
): Row<NamesIn<Pk | Sk>, KeyArgs, Ranges> {
  return {
    forms: formsOf(pk, sk, valid as Form['valid'] | undefined),
    key,
    ranges: ranges ?? ({} as Ranges),
  };
}

interface Segment {
  /** Undefined for a part. */
  readonly literal: string | undefined;
  readonly name: string;
  readonly part: Part<unknown>;
}

/** Up to the first part that is missing: then it is a prefix. */
type WriteKey = (parts: SomeParts) => string;

/** One way in which the keys of a type are written. */
interface Form {
  readonly pk: readonly Segment[];
  readonly sk: readonly Segment[];
  readonly writePk: WriteKey;
  readonly writeSk: WriteKey;
  readonly valid: (parts: SomeParts) => boolean;
}

const always = () => true;

function formsOf(pk: string, sk: string, valid: Form['valid'] = always): Form[] {
  const form = (sortKey: string, holds: Form['valid']): Form => ({
    pk: pk.split('#').map(segmentOf),
    sk: sortKey.split('#').map(segmentOf),
    writePk: keyWriter(pk),
    writeSk: keyWriter(sortKey),
    valid: holds,
  });
  if (!sk.includes('{message}')) return [form(sk, valid)];
  return [
    form(sk.replace('{message}', 'ROOT#{threadTs}#{ts}'), ({ threadTs, ts }) => threadTs === ts),
    form(sk.replace('{message}', 'REPLY#{threadTs}#{ts}'), ({ threadTs, ts }) => threadTs !== ts),
  ];
}

function segmentOf(template: string): Segment {
  const name = /^\{(\w+)\}$/.exec(template)?.[1];
  const part = PARTS[(name ?? 'id') as PartName] as Part<unknown>;
  return { literal: name === undefined ? template : undefined, name: name ?? '', part };
}

function keyWriter(template: string): WriteKey {
  // A literal, then a name and a literal for each part.
  const [first = '', ...rest] = template.split(/\{(\w+)\}/);
  const parts = Array.from({ length: rest.length / 2 }, (_, i) => {
    const name = rest[2 * i] as PartName;
    return { name, part: PARTS[name] as Part<unknown>, after: rest[2 * i + 1] ?? '' };
  });
  return (values) => {
    let key = first;
    for (const { name, part, after } of parts) {
      const value = values[name];
      if (value === undefined) return key;
      key += part.write(value);
      key += after;
    }
    return key;
  };
}

type AnyRow = Pick<Row<never, never[], object>, 'forms'> & {
  readonly key: (...args: never[]) => object;
  readonly ranges: object;
};
type Rows = Readonly<Record<string, AnyRow>>;

type Keys<R extends Rows> = { readonly [Type in keyof R]: (...args: Parameters<R[Type]['key']>) => Key };

/** For each row a function that builds its key. */
export function keyBuilders<R extends Rows>(rows: R): Keys<R> {
  const builders = Object.entries(rows).map(([type, { forms, key }]) => [
    type,
    (...args: never[]): Key => {
      const parts = key(...args) as SomeParts;
      const form = formFor(forms, parts);
      return { pk: form.writePk(parts), sk: form.writeSk(parts) };
    },
  ]);
  return Object.fromEntries(builders);
}

type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer One) => void
  ? One
  : never;
type RangesByName<R extends Rows> = All<R[keyof R]['ranges']>;
type RangeBuilders<Ranges> = {
  readonly [Name in keyof Ranges]: Ranges[Name] extends (...args: infer Args) => unknown
    ? (...args: Args) => KeyRange
    : never;
};

/** For each range of each row a function that builds it. */
export function rangeBuilders<R extends Rows>(rows: R): RangeBuilders<RangesByName<R>> {
  const builders = Object.values(rows).flatMap(({ forms, ranges }) =>
    Object.entries(ranges as Record<string, (...args: never[]) => SomeParts>).map(([name, partsOf]) => [
      name,
      (...args: never[]): KeyRange => {
        const parts = partsOf(...args);
        const form = formFor(forms, parts);
        return prefixRange(form.writePk(parts), form.writeSk(parts));
      },
    ]),
  );
  return Object.fromEntries(builders);
}

const prefixRange = (pk: string, prefix: string): KeyRange => ({ pk, from: prefix, to: prefix + MAX_SUFFIX });

const formFor = (forms: readonly Form[], parts: SomeParts): Form =>
  (forms.length === 1 ? forms[0] : forms.find((form) => form.valid(parts))) as Form;

export type Parsed<R extends Rows> = {
  readonly [Type in keyof R]: { readonly type: Type } & ReturnType<R[Type]['key']>;
}[keyof R];

/** The reverse of the builders. The parser never throws: a key that no row could have built is undefined. */
export function keyParser<R extends Rows>(rows: R): (key: Key) => Parsed<R> | undefined {
  const byFirst = new Map<string, Array<Form & { readonly type: string }>>();
  for (const [type, { forms }] of Object.entries(rows)) {
    for (const form of forms) {
      const first = form.pk[0]?.literal ?? '';
      byFirst.set(first, [...(byFirst.get(first) ?? []), { ...form, type }]);
    }
  }
  return ({ pk, sk }) => {
    const [pkTexts, skTexts] = [pk.split('#'), sk.split('#')];
    for (const form of byFirst.get(pkTexts[0] ?? '') ?? []) {
      if (form.pk.length !== pkTexts.length || form.sk.length !== skTexts.length) continue;
      if (!literalsMatch(form.sk, skTexts) || !literalsMatch(form.pk, pkTexts)) continue;
      const parts: Record<string, unknown> = { type: form.type };
      if (readInto(parts, form.pk, pkTexts) && readInto(parts, form.sk, skTexts) && form.valid(parts)) {
        return parts as Parsed<R>;
      }
    }
    return undefined;
  };
}

function literalsMatch(segments: readonly Segment[], texts: readonly string[]): boolean {
  for (let i = 0; i < segments.length; i++) {
    const literal = segments[i]?.literal;
    if (literal !== undefined && literal !== texts[i]) return false;
  }
  return true;
}

function readInto(
  parts: Record<string, unknown>,
  segments: readonly Segment[],
  texts: readonly string[],
): boolean {
  for (let i = 0; i < segments.length; i++) {
    const segment = segments[i];
    if (segment === undefined || segment.literal !== undefined) continue;
    const value = segment.part.read(texts[i] ?? '');
    if (value === undefined) return false;
    parts[segment.name] = value;
  }
  return true;
}
