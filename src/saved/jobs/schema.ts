import type { ObjectFieldsShape } from '@pothos/core';
import { badUserInput, notFound } from '../../core/errors.ts';
import type { SchemaTypes } from '../../graphql/builder.ts';
import { idOf } from '../../graphql/ids.ts';
import { mutation } from '../../graphql/mutation.ts';
import type { Job } from '../../jobs/job.ts';
import { TAG_NAME_MAX, tagName } from '../tagName.ts';
import { ownTagId, SavedTagRef } from '../tagTypes.ts';
import { SavedVisibilityRef } from '../types.ts';
import type { TagChanges } from './tagChanges.ts';
import { JobPages, JobRef, jobEdge, ownJobId } from './types.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly tagChanges: TagChanges;
  }
}

/** Throws NOT_FOUND for the tag of another user. */
function tagIdOf(viewer: string, globalId: string): string {
  const id = ownTagId(viewer, idOf('SavedTag', globalId) ?? '');
  if (id === undefined) throw notFound();
  return id;
}

const asAJob =
  'With fewer than 25 saved messages the job is already done when the mutation returns, unless an earlier job of the viewer has not ended. `CONFLICT` (`LIMIT_REACHED`) if the viewer has 20 jobs that have not ended. `NOT_FOUND` for a tag of another user.';
const ownTag = (description: string) => ({ required: true, description }) as const;
const job = { type: JobRef, description: 'The work on the saved messages.' } as const;

/** The payload of mutations that begin a job. */
const jobPayload: ObjectFieldsShape<
  PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>,
  { readonly job: Job }
> = (t) => ({
  job: t.expose('job', job),
  jobEdge: t.field({
    type: JobPages.edge,
    description: 'The work in `Viewer.jobs`.',
    resolve: ({ job }, _args, context) => jobEdge(job, context),
  }),
});

mutation('renameSavedTag', {
  description: `Gives a tag of the viewer another name. A tag is renamed at once, at any number of saved messages. If another tag has the name, the tag is merged into that one. ${asAJob}`,
  limit: 'jobs',
  input: (t) => ({
    tagId: t.id(ownTag('A tag of the viewer.')),
    name: t.string({
      required: true,
      description: `Its new name: at most ${TAG_NAME_MAX} characters, as in \`saveMessage\`. Only other upper and lower case letters are a new name, too.`,
    }),
  }),
  resolve: (viewer, { tagId, name: text }, { services }) => {
    const name = tagName(text);
    if ('wrong' in name) throw badUserInput('input.name', `\`name\` ${name.wrong}`, name.max);
    return services.tagChanges.rename(viewer, tagIdOf(viewer, tagId), name);
  },
  payload: (t) => ({
    tag: t.expose('tag', { type: SavedTagRef, description: 'The tag that has the name.' }),
    job: t.expose('job', {
      ...job,
      nullable: true,
      description: 'The merge, if another tag had the name; null otherwise.',
    }),
    jobEdge: t.field({
      type: JobPages.edge,
      nullable: true,
      description: 'The merge in `Viewer.jobs`; null if there is none.',
      resolve: ({ job }, _args, context) => (job === null ? null : jobEdge(job, context)),
    }),
  }),
});

mutation('mergeSavedTags', {
  description: `Gives all of the viewer's saved messages that have one tag another one instead. What is saved with the tag meanwhile gets the other one, too; then the tag is gone. ${asAJob}`,
  limit: 'jobs',
  input: (t) => ({
    fromTagId: t.id(ownTag('The tag that goes away.')),
    intoTagId: t.id(ownTag('The tag that remains. `BAD_USER_INPUT` if it is the same.')),
  }),
  resolve: async (viewer, { fromTagId, intoTagId }, { services }) => ({
    job: await services.tagChanges.merge(viewer, tagIdOf(viewer, fromTagId), tagIdOf(viewer, intoTagId)),
  }),
  payload: jobPayload,
});

mutation('deleteSavedTag', {
  description: `Removes a tag from all of the viewer's saved messages, which stay saved. ${asAJob}`,
  limit: 'jobs',
  input: (t) => ({ tagId: t.id(ownTag('A tag of the viewer.')) }),
  resolve: async (viewer, { tagId }, { services }) => ({
    job: await services.tagChanges.remove(viewer, tagIdOf(viewer, tagId)),
  }),
  payload: jobPayload,
});

mutation('setVisibilityOfTagged', {
  description: `Makes all of the viewer's saved messages with a tag public or private. Those in rooms that the viewer has left stay private, and what is saved afterwards keeps its visibility. ${asAJob}`,
  limit: 'jobs',
  input: (t) => ({
    tagId: t.id(ownTag('A tag of the viewer.')),
    visibility: t.field({
      type: SavedVisibilityRef,
      required: true,
      description: 'Whether others see them then.',
    }),
    expectedCount: t.int({
      required: true,
      description:
        'The `count` of the tag that the user has confirmed. `CONFLICT` (`COUNT_CHANGED`) if it is another one by now. If it is another one when the job begins, the job ends as FAILED for the same reason, and changes nothing.',
    }),
  }),
  resolve: async (viewer, { tagId, visibility, expectedCount: expected }, { services }) => ({
    job: await services.tagChanges.setVisibility(viewer, tagIdOf(viewer, tagId), { visibility, expected }),
  }),
  payload: jobPayload,
});

mutation('cancelJob', {
  description:
    'Cancels a job of the viewer. It changes nothing from then on, and what it did stays. A job that has ended stays as it is. `NOT_FOUND` for a job of another user. Idempotent.',
  limit: 'jobs',
  input: (t) => ({ jobId: t.id(ownTag('A job of the viewer.')) }),
  resolve: async (viewer, { jobId }, { services }) => {
    const id = ownJobId(viewer, idOf('Job', jobId) ?? '');
    if (id === undefined) throw notFound();
    return { job: await services.tagChanges.jobs.cancel(viewer, id) };
  },
  payload: (t) => ({ job: t.expose('job', { ...job, description: 'The job afterwards.' }) }),
});
