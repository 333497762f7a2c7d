import { notFound } from '../../core/errors.ts';
import { builder } from '../../graphql/builder.ts';
import { requireViewer } from '../../graphql/context.ts';
import { idOf } from '../../graphql/ids.ts';
import type { JobStreams } from './live/jobStreams.ts';
import { JobRef, ownJobId } from './types.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly jobStreams: JobStreams;
  }
}

builder.subscriptionField('jobChanged', (t) =>
  t.field({
    type: JobRef,
    description:
      'A job of the viewer: its current state first, then its newest state, at most once a second. The subscription completes when the job has ended. `NOT_FOUND` for a job of another user.',
    args: { jobId: t.arg.id({ required: true, description: 'A job of the viewer.' }) },
    subscribe: (_root, { jobId }, context) => {
      const viewer = requireViewer(context);
      const id = ownJobId(viewer, idOf('Job', jobId) ?? '');
      if (id === undefined) throw notFound();
      return context.services.jobStreams.subscribe(viewer, id);
    },
    resolve: (job) => job,
  }),
);
