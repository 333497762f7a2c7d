/** The GraphQL type of jobs that users asked for. All of them are about tags. */

import type { ConflictReason, ErrorCode } from '../../core/errors.ts';
import { isTimestamp } from '../../core/timestamps.ts';
import { keys } from '../../dynamo/keys.ts';
import { builder } from '../../graphql/builder.ts';
import { type Edge, forwardArgs, POSITIONS, pagedList, pageTypes } from '../../graphql/connections.ts';
import { type Context, requireViewer } from '../../graphql/context.ts';
import { ConflictReasonRef, ErrorCodeRef } from '../../graphql/errorTypes.ts';
import { nodeLoader } from '../../graphql/nodes.ts';
import { bestLanguage } from '../../i18n/language.ts';
import { type Job, jobOf, nameOfJob, remainingSeconds } from '../../jobs/job.ts';
import { OPEN_JOBS_MAX } from '../../jobs/openJobs.ts';
import { loadOwnProfile, ViewerRef } from '../../users/types.ts';
import { DELETE, MERGE, PUBLISH } from './tagJobs.ts';
import { textOfJob } from './text.ts';

const JobStateRef = builder.enumType('JobState', {
  description: 'How far a job is.',
  values: {
    QUEUED: { description: 'Another job of the viewer is before it, or it has not begun yet.' },
    RUNNING: { description: 'It is running.' },
    PAUSED: { description: 'An operator has paused it.' },
    DONE: { description: 'It has done everything.' },
    FAILED: { description: 'It could not go on: see `failure`. What it did until then stays.' },
    CANCELLED: { description: 'It was cancelled. What it did until then stays.' },
  } satisfies Record<Job['state'], object>,
});

const KINDS = {
  [MERGE]: 'MERGE_SAVED_TAGS',
  [DELETE]: 'DELETE_SAVED_TAG',
  [PUBLISH]: 'SET_VISIBILITY_OF_TAGGED',
} as const;

const JobKindRef = builder.enumType('JobKind', {
  description: 'What a job does.',
  values: {
    MERGE_SAVED_TAGS: { description: 'Gives all messages of one tag another one instead.' },
    DELETE_SAVED_TAG: { description: 'Removes a tag from all messages that have it.' },
    SET_VISIBILITY_OF_TAGGED: { description: 'Makes all messages with a tag public or private.' },
  } satisfies Record<(typeof KINDS)[keyof typeof KINDS], object>,
});

export const JobRef = builder.objectRef<Job>('Job');

builder.node(JobRef, {
  description:
    'Work on many saved messages that the viewer asked for. Only they see it. The jobs of a user run one at a time, in the order in which they were asked for, and are kept for seven days after their end.',
  id: { resolve: nameOfJob },
  fields: (t) => ({
    kind: t.field({
      type: JobKindRef,
      description: 'What it does.',
      resolve: ({ kind }) => KINDS[kind as keyof typeof KINDS],
    }),
    text: t.string({
      description:
        'What it does, in the language of the viewer, with the names that the tags had when it was asked for.',
      resolve: async (job, _args, context) => {
        const user = await loadOwnProfile(requireViewer(context), context.items);
        return textOfJob(job, bestLanguage(user.locale, context.acceptLanguage));
      },
    }),
    state: t.expose('state', { type: JobStateRef, description: 'How far it is.' }),
    done: t.exposeInt('done', { description: 'How many saved messages it has gone through.' }),
    total: t.int({
      nullable: true,
      description:
        'How many there were at its beginning; equal to `done` if it is done. Null if that is not known.',
      resolve: ({ total }) => total ?? null,
    }),
    remainingSeconds: t.int({
      nullable: true,
      description: 'How long the rest takes at the speed so far; null if that is not known.',
      resolve: (job) => remainingSeconds(job, Date.now()),
    }),
    failure: t.field({
      type: ErrorCodeRef,
      nullable: true,
      description: 'Why it failed; null otherwise.',
      resolve: ({ failure }) => (failure as ErrorCode | undefined) ?? null,
    }),
    failureReason: t.field({
      type: ConflictReasonRef,
      nullable: true,
      description: 'The reason of a `failure` that is a `CONFLICT`; null otherwise.',
      resolve: ({ failureReason }) => (failureReason as ConflictReason | undefined) ?? null,
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When it was asked for.',
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
    finishedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while it is open.',
      resolve: ({ finishedAt }) => (finishedAt === undefined ? null : new Date(finishedAt)),
    }),
  }),
});

/** The id of a job of the viewer's, of the global id without the type's name. Undefined for any other text. */
export function ownJobId(viewer: string, id: string): string | undefined {
  const [user, own = '', ...more] = id.split(':');
  return user === viewer && isTimestamp(own) && more.length === 0 ? own : undefined;
}

nodeLoader('Job', async (id, context) => {
  const viewer = requireViewer(context);
  const own = ownJobId(viewer, id);
  if (own === undefined) return null;
  const item = await context.items.load(keys.personJob(viewer, own));
  return item === undefined ? null : jobOf({ user: viewer, id: own }, item);
});

export const JobPages = pageTypes(JobRef, 'Job', {
  edge: 'A job in a page, with its cursor.',
  page: 'A page of jobs.',
});
const ownJobs = pagedList({
  cursors: (user: string) => ({ list: `jobs:${user}`, position: POSITIONS.timestamp }),
  position: ({ id }: Job) => id,
});

/** A job of the viewer's. */
export const jobEdge = (job: Job, context: Context): Edge<Job> => ownJobs.edge(requireViewer(context), job);

builder.objectField(ViewerRef, 'jobs', (t) =>
  t.field({
    type: JobPages.connection,
    description: `What the viewer asked for that takes longer than an answer: the jobs that are open, at most ${OPEN_JOBS_MAX}, and those that ended in the last seven days. The newest comes first.`,
    args: forwardArgs,
    resolve: ({ id }, args, { services }) =>
      ownJobs.page(id, args, (request) => services.tagChanges.jobs.list(id, request)),
  }),
);
