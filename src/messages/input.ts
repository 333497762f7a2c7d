/** The arguments with which messages are written. */
import { z } from 'zod';
import { NOT_WELL_FORMED, text } from '../graphql/validation.ts';
import { handlesMentioned, MENTIONS_MAX } from './mentions.ts';

const BODY_CHARACTERS = 4_000;
const BODY_BYTES = 16_384;
export const IDEMPOTENCY_KEY_MAX = 64;

/** For descriptions. */
export const BODY_RULE = `1 to ${BODY_CHARACTERS} characters and at most ${BODY_BYTES} bytes in UTF-8`;

export const bodyField = text({ characters: BODY_CHARACTERS, bytes: BODY_BYTES, multiline: true });

/** The body that a user writes. Imported messages may mention more people. */
export const writtenBodyField = bodyField.refine((body) => handlesMentioned(body).length <= MENTIONS_MAX, {
  error: `must mention at most ${MENTIONS_MAX} people.`,
  params: { max: MENTIONS_MAX },
});

export const idempotencyKeyField = z
  .string()
  .min(1)
  .max(IDEMPOTENCY_KEY_MAX)
  // UTF-8 loses such a half: two keys that differ only there would become one.
  .refine((key) => key.isWellFormed(), { error: NOT_WELL_FORMED });
