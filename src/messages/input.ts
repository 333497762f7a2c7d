/** The arguments with which messages are written. */
import { text } from '../graphql/validation.ts';
import { handlesMentioned, MENTIONS_MAX } from './mentions.ts';

const BODY_CHARACTERS = 4_000;
const BODY_BYTES = 16_384;
const IDEMPOTENCY_KEY_MAX = 64;

/** For descriptions. */
export const IDEMPOTENCY_KEY_RULE = `1 to ${IDEMPOTENCY_KEY_MAX} characters on one line`;
export const BODY_RULE = `1 to ${BODY_CHARACTERS} characters and at most ${BODY_BYTES} bytes in UTF-8`;

export const bodyField = text({ characters: BODY_CHARACTERS, bytes: BODY_BYTES, multiline: true });

/** The body that a user writes. Imported messages may mention more people. */
export const writtenBodyField = bodyField.refine((body) => handlesMentioned(body).length <= MENTIONS_MAX, {
  error: `must mention at most ${MENTIONS_MAX} people.`,
  params: { max: MENTIONS_MAX },
});

/** Refused as other texts are: half of a surrogate pair is lost in UTF-8, so two keys could become one. */
export const idempotencyKeyField = text({ characters: IDEMPOTENCY_KEY_MAX });
