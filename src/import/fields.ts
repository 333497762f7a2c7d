/** The fields of input lines, of all formats. */
import { z } from 'zod';
import { type Timestamp, toTimestamp } from '../core/timestamps.ts';
import { isStampKey } from '../dynamo/keys.ts';
import { idOf } from '../graphql/ids.ts';
import { NOT_WELL_FORMED, predicateOf } from '../graphql/validation.ts';
import { bodyField } from '../messages/input.ts';
import { emojiOf } from '../reactions/stamps/emoji.ts';
import { KINDS_MAX, TOTAL_MAX } from '../reactions/stamps/stamp.ts';
import { LineProblem } from './problems.ts';
import type { ImportedMessage } from './types.ts';

/** Any text that is stored or made into a key. The database refuses half of a surrogate pair, which JSON can have. */
export const textField = z.string().refine((text) => text.isWellFormed(), { error: NOT_WELL_FORMED });

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?(Z|z|[+-]\d{2}:\d{2})$/;

/** Microseconds since 1970. Undefined if it is not an RFC 3339 time from then on. */
function microsIn(text: string): number | undefined {
  const [, date, time, fraction = '', zone = ''] = RFC_3339.exec(text) ?? [];
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${zone.toUpperCase()}`);
  // JavaScript reads 30 February as 2 March.
  const local = ms + offsetMs(zone);
  if (!(ms >= 0) || new Date(local).toISOString().slice(0, 19) !== `${date}T${time}`) return undefined;
  return ms * 1_000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}

function offsetMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return 0;
  return (sign === '+' ? 1 : -1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** A time that is not in the future, in microseconds. `now`: milliseconds since 1970. */
export const pastMicros = (now: number) =>
  z.string().transform((text, context) => {
    const micros = microsIn(text);
    const why =
      micros === undefined
        ? 'must be a time such as 2026-01-31T12:00:00Z, from 1970 on.'
        : micros > now * 1_000
          ? 'must not be in the future.'
          : undefined;
    if (why === undefined) return micros as number;
    context.addIssue({ code: 'custom', message: why });
    return z.NEVER;
  });

export const pastTime = (now: number) =>
  pastMicros(now).transform((micros): Timestamp => toTimestamp(micros));

/** A global id of the type, as the table has it. */
export const idField = (typename: 'User' | 'Room' | 'Message') =>
  textField.transform((text, context) => {
    const id = idOf(typename, text);
    if (id !== undefined) return id;
    context.addIssue({ code: 'custom', message: `must be the id of a ${typename.toLowerCase()}.` });
    return z.NEVER;
  });

/** The value, checked. Throws `LineProblem`, in a sentence that names the field. */
export function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new LineProblem(sentenceOf(issue));
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object with fields',
};

/** One of the values that are possible. */
const anyOf = new Intl.ListFormat('en-GB', { type: 'disjunction' });

function sentenceOf(issue: z.core.$ZodIssue | undefined): string {
  const path = issue?.path.map(String).join('.') ?? '';
  const field = path === '' ? 'It' : `\`${path}\``;
  if (issue?.code === 'unrecognized_keys')
    return `${field} has a field that is not known: \`${issue.keys.join(', ')}\`.`;
  return `${field} ${wrongIn(issue)}`;
}

/** The rest of a sentence. No text of the library, which is for developers. */
function wrongIn(issue: z.core.$ZodIssue | undefined): string {
  const isMissing = issue?.input === undefined;
  switch (issue?.code) {
    case 'custom':
      return issue.message;
    case 'invalid_type':
      return isMissing ? 'is missing.' : `must be ${TYPES[issue.expected] ?? issue.expected}.`;
    case 'invalid_value':
      return isMissing ? 'is missing.' : `must be ${anyOf.format(issue.values.map(String))}.`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1 ? 'must not be empty.' : boundOf(issue);
    case 'too_big':
      return boundOf(issue);
    default:
      return 'is not valid.';
  }
}

const boundOf = ({ code, origin, message, ...bounds }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall) =>
  predicateOf({
    code,
    origin,
    message,
    ...('maximum' in bounds ? { maximum: Number(bounds.maximum) } : { minimum: Number(bounds.minimum) }),
  });

/** Throws unless a message can have this text. */
export function checkBody(text: string, field = 'body'): void {
  checked(z.object({ [field]: bodyField }), { [field]: text });
}

/** The key of a stamp in a catalogue, or an emoji. */
export const stampKeyField = textField.transform((text, context) => {
  const key = isStampKey(text) ? text : emojiOf(text);
  if (key !== undefined) return key;
  context.addIssue({ code: 'custom', message: 'must be the key of a stamp, or one emoji.' });
  return z.NEVER;
});

/** What is wrong with the reactions to a message, in a sentence. */
export function reactionsProblem(
  { stamps, likes }: Pick<ImportedMessage, 'stamps' | 'likes'>,
  isDeleted: boolean,
): string | undefined {
  if (isDeleted && stamps.length + likes.length > 0) return 'A deleted message has no stamps and likes.';
  if (stamps.length > TOTAL_MAX || new Set(stamps.map(({ stampKey }) => stampKey)).size > KINDS_MAX) {
    return `A message has at most ${KINDS_MAX} different stamps and ${TOTAL_MAX} in total.`;
  }
  const given = [
    ...stamps.map(({ user, stampKey }) => `${user} ${stampKey}`),
    ...likes.map(({ user }) => user),
  ];
  return new Set(given).size === given.length
    ? undefined
    : 'A person has liked a message, or put a stamp on it, twice.';
}
