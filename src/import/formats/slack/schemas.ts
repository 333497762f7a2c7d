/**
 * The parts of a Slack export that are read. Other fields are ignored. Texts and names may have half of a surrogate
 * pair, which Slack itself cuts: those are cleaned. Ids may not.
 */
import { z } from 'zod';
import { textField } from '../../fields.ts';

export const user = z.object({
  id: textField.min(1),
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
});

export const channel = z.object({
  id: textField.min(1),
  name: z.string().min(1),
  created: z.number().min(0).optional(),
  creator: textField.optional(),
  members: z.array(textField).optional(),
  topic: z.object({ value: z.string() }).optional(),
  purpose: z.object({ value: z.string() }).optional(),
});

const own = {
  type: z.string().optional(),
  subtype: z.string().optional(),
  user: textField.optional(),
  bot_id: textField.optional(),
  username: z.string().optional(),
  user_profile: z
    .object({ display_name: z.string().optional(), real_name: z.string().optional() })
    .optional(),
  text: z.string().nullish(),
  thread_ts: textField.optional(),
  edited: z.object({ ts: textField }).nullish(),
  reactions: z.array(z.object({ name: z.string(), users: z.array(textField) })).nullish(),
  files: z
    .array(
      z.looseObject({
        name: z.string().nullish(),
        title: z.string().nullish(),
        /** `tombstone`: the file was deleted. */
        mode: z.string().nullish(),
      }),
    )
    .nullish(),
  attachments: z
    .array(z.looseObject({ fallback: z.string().nullish(), text: z.string().nullish() }))
    .nullish(),
};

export const message = z.object({
  ...own,
  ts: textField,
  /** The message that a `message_deleted` is about. */
  deleted_ts: textField.optional(),
  /** The message after a `message_changed`. */
  message: z.object({ ...own, ts: textField }).optional(),
});

export type SlackUser = z.output<typeof user>;
export type SlackChannel = z.output<typeof channel>;
export type SlackMessage = z.output<typeof message>;
