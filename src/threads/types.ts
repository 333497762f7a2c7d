/** The GraphQL type of threads in lists. */
import { badUserInput } from '../core/errors.ts';
import { builder } from '../graphql/builder.ts';
import { pageTypes } from '../graphql/connections.ts';
import { NEWEST_REPLIES_MAX } from '../messages/message.ts';
import { MessageRef, type MessageView } from '../messages/types.ts';
import { MessageStampRef } from '../reactions/stamps/types.ts';
import { STAMPS_MAX, type Thread } from './threads.ts';

export const ThreadRef = builder.objectRef<Thread<MessageView>>('Thread').implement({
  description: 'A thread in a list: its root, its newest replies, and the stamps on both.',
  fields: (t) => ({
    root: t.expose('root', { type: MessageRef, description: 'The first message of the thread.' }),
    replies: t.field({
      type: [MessageRef],
      description: `The newest replies in chronological order, deleted ones included: at most ${NEWEST_REPLIES_MAX}. \`Message.replies\` of the root has all of them.`,
      extensions: { maxItems: NEWEST_REPLIES_MAX, counted: true },
      resolve: (thread) => thread.replies(),
    }),
    hasMoreReplies: t.exposeBoolean('hasMoreReplies', {
      description: 'Whether the thread has more replies than `replies` shows.',
    }),
    stamps: t.field({
      type: [MessageStampRef],
      description: `The stamps on the root and on \`replies\` in the order in which they were added: the first ${STAMPS_MAX}. \`Message.stamps\` has all of them.`,
      extensions: { maxItems: STAMPS_MAX, counted: true },
      resolve: (thread) => thread.stamps(),
    }),
  }),
});

export const ThreadPages = pageTypes(ThreadRef, 'Thread', {
  edge: 'A thread in a page, with its cursor.',
  page: 'A page of threads.',
});

/** The argument of lists of threads. */
export const repliesArg = builder.args((t) => ({
  replies: t.int({
    defaultValue: NEWEST_REPLIES_MAX,
    description: `How many of each thread's replies are shown, the newest: 0 to ${NEWEST_REPLIES_MAX}.`,
  }),
}));

/** How many replies are shown. Throws BAD_USER_INPUT. */
export function shownReplies(replies: number | null | undefined): number {
  const shown = replies ?? NEWEST_REPLIES_MAX;
  if (shown < 0 || shown > NEWEST_REPLIES_MAX) {
    throw badUserInput('replies', `A thread shows 0 to ${NEWEST_REPLIES_MAX} replies.`, NEWEST_REPLIES_MAX);
  }
  return shown;
}
