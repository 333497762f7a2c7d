/** The parts of a Slack export that are read. Other fields are ignored. */
import { z } from 'zod';

export const user = z.object({
  id: z.string().min(1),
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
});

export const channel = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  created: z.number().min(0).optional(),
  creator: z.string().optional(),
  members: z.array(z.string()).optional(),
  topic: z.object({ value: z.string() }).optional(),
  purpose: z.object({ value: z.string() }).optional(),
});

const own = {
  type: z.string().optional(),
  subtype: z.string().optional(),
  user: z.string().optional(),
  bot_id: z.string().optional(),
  username: z.string().optional(),
  user_profile: z
    .object({ display_name: z.string().optional(), real_name: z.string().optional() })
    .optional(),
  text: z.string().nullish(),
  thread_ts: z.string().optional(),
  edited: z.object({ ts: z.string() }).nullish(),
  reactions: z.array(z.object({ name: z.string(), users: z.array(z.string()) })).nullish(),
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
  ts: z.string(),
  /** The message that a `message_deleted` is about. */
  deleted_ts: z.string().optional(),
  /** The message after a `message_changed`. */
  message: z.object({ ...own, ts: z.string() }).optional(),
});

export type SlackUser = z.output<typeof user>;
export type SlackChannel = z.output<typeof channel>;
export type SlackMessage = z.output<typeof message>;
