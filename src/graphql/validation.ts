import { z } from 'zod';
import { defined } from '../core/defined.ts';
import { TsudoiError, type WrongField, wrongFields } from '../core/errors.ts';
import { normalizedTimeZone, ZONE_MAX } from '../core/timeZone.ts';

/**
 * An issue as zod reports it through the standard schema. The message of a `custom` one, and of a format, is the rest
 * of a sentence that begins with the field: "must be …".
 */
export interface Issue {
  readonly code?: string;
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
  readonly params?: Bounds;
  /** What `maximum` and `minimum` count. */
  readonly origin?: string;
  readonly maximum?: number;
  readonly minimum?: number;
}

interface Bounds {
  /** The bound that was exceeded, if both are given. */
  readonly limit?: number;
  readonly min?: number;
  readonly max?: number;
}

/**
 * BAD_USER_INPUT for arguments that are not valid: each once, in the given order, `also` last. `issues` has at least
 * one.
 */
export class InvalidArguments extends TsudoiError {
  override readonly name = 'InvalidArguments';
  constructor(issues: readonly Issue[], also: readonly WrongField[] = []) {
    const fields = new Map<string, WrongField>();
    for (const issue of issues) {
      const field = pathOf(issue);
      if (!fields.has(field)) fields.set(field, wrongField(field, issue));
    }
    for (const one of also) if (!fields.has(one.field)) fields.set(one.field, one);
    const { message, details } = wrongFields([...fields.values()], issues[0]?.params?.limit);
    super('BAD_USER_INPUT', message, details);
  }
}

/**
 * For the validation plugin, which stops at the first field that is not valid. `listAllWrongFields` finds the others.
 */
export const validationError = ({ issues }: { readonly issues: readonly unknown[] }) =>
  new InvalidArguments(issues as readonly Issue[]);

const pathOf = ({ path = [] }: Issue): string =>
  path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');

function wrongField(field: string, issue: Issue): WrongField {
  const { min = issue.minimum, max = issue.maximum } = issue.params ?? {};
  return {
    field,
    ...defined({ min, max }),
    message: `\`${field}\` ${predicateOf(issue)}`,
  };
}

const UNITS: Readonly<Record<string, string>> = { string: 'character', array: 'item' };

/** The rest of a sentence that begins with the field. */
export function predicateOf({ code, origin = '', maximum, minimum, message }: Issue): string {
  // GraphQL has checked the type, so only null is left.
  if (code === 'invalid_type') return 'must not be null.';
  const unit = UNITS[origin];
  const counted = (bound = 0) =>
    unit === undefined ? `${bound}` : `${bound} ${unit}${bound === 1 ? '' : 's'}`;
  const is = unit === undefined ? 'be' : 'have';
  if (code === 'too_big') return `must ${is} at most ${counted(maximum)}.`;
  if (code === 'too_small') return `must ${is} at least ${counted(minimum)}.`;
  return message;
}

export interface TextLimits {
  /** Unicode code points. */
  readonly characters: number;
  /** UTF-8 bytes; by default only the number of characters is limited. */
  readonly bytes?: number;
  /** Whether it may be empty or have only invisible characters; default false. */
  readonly blank?: boolean;
  /** Whether it may contain line breaks and tabs; default false. */
  readonly multiline?: boolean;
  /**
   * Whether it is a name, which is shown in the middle of other text: it has no controls of direction, and loses outer
   * white space; default false.
   */
  readonly name?: boolean;
}

const CONTROL = /(?![\t\n\r])\p{Cc}/u;
const LINE = /[\t\n\r\u2028\u2029]/;
/**
 * Characters that are invisible: spaces, joiners, variation selectors, direction marks, the empty Braille pattern, the
 * empty musical note …
 */
const INVISIBLE =
  /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Noncharacter_Code_Point}\u2800\u{1d159}]/gu;
/** Controls of the direction of text, which could reorder the text around a name. */
const DIRECTION = /[\p{Bidi_Control}]/u;

/** Whether the text has nothing that a reader sees. */
const isInvisible = (value: string): boolean => value.replace(INVISIBLE, '') === '';
export const hasVisibleCharacter = (value: string): boolean => !isInvisible(value);

/** The rest of a sentence that begins with the field. */
export const NOT_WELL_FORMED = 'must be well-formed Unicode, but has half of a surrogate pair.';

/**
 * Validates text that a user wrote: bounded, visible, well-formed Unicode. Only a name is changed: it loses outer white
 * space.
 */
export const text = ({ characters, bytes, blank = false, multiline = false, name = false }: TextLimits) => {
  const checked = z.string().superRefine((value, context) => {
    const refuse = (message: string, params: Bounds = {}) =>
      context.addIssue({ code: 'custom', message, params });
    // The cheap check comes first, so that megabytes of text are never walked through.
    if (value.length > characters * 2 || codePoints(value) > characters) {
      return refuse(`must have at most ${characters} characters.`, { max: characters });
    }
    if (bytes !== undefined && Buffer.byteLength(value) > bytes) {
      return refuse(`must have at most ${bytes} bytes in UTF-8.`, { max: bytes });
    }
    if (!value.isWellFormed()) return refuse(NOT_WELL_FORMED);
    if (CONTROL.test(value)) return refuse('must not have control characters.');
    if (!multiline && LINE.test(value)) return refuse('must not have line breaks or tabs.');
    if (name && DIRECTION.test(value)) return refuse('must not have controls of the direction of text.');
    if (!blank && isInvisible(value)) return refuse('must have at least one visible character.', { min: 1 });
  });
  return checked.transform((value) => (name ? value.trim() : value));
};

/** Validates a whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  z.number().superRefine((value, context) => {
    if (value >= min && value <= max) return;
    context.addIssue({
      code: 'custom',
      message: `must be ${min} to ${max}.`,
      params: { min, max, limit: value < min ? min : max },
    });
  });

function codePoints(value: string): number {
  let count = 0;
  for (const _ of value) count++;
  return count;
}

const FORBIDDEN_IN_NAMES = /(?:\p{Cc}|\p{Bidi_Control}|[\u2028\u2029])+/gu;

/**
 * A name from elsewhere (a token), changed so that `text` with `name` accepts it. Undefined if nothing visible is left
 * of it.
 */
export function acceptableName(value: string, characters: number): string | undefined {
  const clean = value.toWellFormed().replace(FORBIDDEN_IN_NAMES, ' ').trim();
  const short = [...clean].slice(0, characters).join('').trim();
  return isInvisible(short) ? undefined : short;
}

/** The name of a time zone, as the IANA database writes it. */
export const timeZone = z
  .string()
  .max(ZONE_MAX)
  .refine((name) => normalizedTimeZone(name) !== undefined, {
    message: 'must be a time zone of the IANA database, e.g. `Asia/Tokyo`.',
  })
  .transform((name) => normalizedTimeZone(name) ?? name);
