import type { ValidationErrorFn } from '@pothos/plugin-validation';
import { z } from 'zod';
import { badUserInput, type TsudoiError } from '../core/errors.ts';

/** An issue as zod reports it through the standard schema. `params` has the bound that was exceeded. */
interface Issue {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
  readonly params?: { readonly limit?: number | string };
  readonly maximum?: number;
  readonly minimum?: number;
}

/** BAD_USER_INPUT for the first argument that is not valid, with its path, e.g. `input.body`. */
export const validationError = ((failure) =>
  toError(failure.issues[0] as Issue | undefined)) satisfies ValidationErrorFn<never>;

function toError(issue: Issue | undefined): TsudoiError {
  const path = (issue?.path ?? [])
    .map((part) => String(typeof part === 'object' ? part.key : part))
    .join('.');
  const limit = issue?.params?.limit ?? issue?.maximum ?? issue?.minimum;
  return badUserInput(path, issue?.message ?? 'This value is not allowed.', limit);
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
  /** Whether it is a name, which is shown in the middle of other text: without controls of direction; default false. */
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

/** Validates text that a user wrote: bounded, visible, well-formed Unicode. It does not change the text. */
export const text = ({ characters, bytes, blank = false, multiline = false, name = false }: TextLimits) =>
  z.string().superRefine((value, context) => {
    const refuse = (message: string, limit?: number | string) =>
      context.addIssue({ code: 'custom', message, params: limit === undefined ? {} : { limit } });
    // The cheap check comes first, so that megabytes of text are never walked through.
    if (value.length > characters * 2 || codePoints(value) > characters) {
      return refuse(`At most ${characters} characters.`, characters);
    }
    if (bytes !== undefined && Buffer.byteLength(value) > bytes) {
      return refuse(`At most ${bytes} bytes in UTF-8.`, bytes);
    }
    if (!value.isWellFormed())
      return refuse('The text is not well-formed Unicode: it has half of a surrogate pair.');
    if (CONTROL.test(value)) return refuse('Control characters are not allowed.');
    if (!multiline && LINE.test(value)) return refuse('Line breaks and tabs are not allowed.');
    if (name && DIRECTION.test(value)) return refuse('Controls of the direction of text are not allowed.');
    if (!blank && isInvisible(value)) return refuse('At least one visible character.', 1);
  });

/** Validates a whole number from `min` to `max`. */
export const wholeNumber = (min: number, max: number) =>
  z
    .int()
    .min(min, { error: `At least ${min}.` })
    .max(max, { error: `At most ${max}.` });

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
