/** Jobs of every user, and tags that jobs use up. */
import { toTimestamp } from '../../../src/core/timestamps.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../../src/dynamo/shapes.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { inState } from '../../../src/jobs/job.ts';
import { openJobsWrite } from '../../../src/jobs/openJobs.ts';
import { newTag, writeTag } from '../../../src/saved/tag.ts';
import type { TestApp } from '../../support/servers/app.ts';
import type { Variables } from './clients.ts';
import type { RoomFixture, User } from './room.ts';

/** The tags of what `addReminders` saves. A job takes each of the spare ones once. */
const KEPT = 'kept';
const RENAMED = 'renamed';
const SPARE = Array.from({ length: 12 }, (_, i) => `spare${i}`);
export const TAGS: readonly string[] = [KEPT, RENAMED, ...SPARE];

const tagId = ({ id }: User, tag: string): string => encodeId('SavedTag', `${id}:${tag}`);
export const keptTag = (user: User): string => tagId(user, KEPT);
export const renamedTag = (user: User): string => tagId(user, RENAMED);

const usedBy = new Map<string, number>();

export async function spareTag({ user }: { readonly user: User }): Promise<Variables> {
  const used = usedBy.get(user.id) ?? 0;
  usedBy.set(user.id, used + 1);
  const tag = SPARE[used];
  if (tag === undefined) throw new Error('There are not enough spare tags.');
  return { spareTag: tagId(user, tag) };
}

/** A tag that others see if they share a room. */
const OPEN = 'open';

export const tagWrites = ({ id: user }: User) =>
  [...TAGS, OPEN].flatMap((tag) =>
    writeTag(newTag(user, tag, { shown: tag, folded: tag }), { count: 1, publicCount: tag === OPEN ? 1 : 0 }),
  );

const [FAILED, RUNNING] = [toTimestamp(1), toTimestamp(2)];
export const jobId = ({ id }: User): string => encodeId('Job', `${id}:${RUNNING}`);

/** One that has failed, and one that is running. It has no timer, so it stays so. */
export async function addJobs({ dynamo }: TestApp, { users }: RoomFixture): Promise<void> {
  const at = Date.now();
  for (const { id: user } of Object.values(users)) {
    const about = { user, tag: KEPT, name: 'hidden tag', into: KEPT, intoName: 'other', intoFolded: 'other' };
    const common = { v: FIRST_SHAPE, kind: 'mergeSavedTags', about, cursor: '0', rev: 2, runAt: at };
    const job = (id: string, state: 'RUNNING' | 'FAILED', more: object) => ({
      put: {
        ...keys.personJob(user, id),
        ...common,
        ...inState({ user, id, createdAt: at }, state),
        ...more,
      },
    });
    const none = { key: keys.openJobs(user), ids: [], newest: 0, version: 0 };
    await dynamo.transact([
      job(FAILED, 'FAILED', { done: 0, failure: 'CONFLICT', failureReason: 'COUNT_CHANGED', finishedAt: at }),
      // One second remains, however late it is requested: answers are compared byte by byte.
      job(RUNNING, 'RUNNING', { done: 10 ** 6, total: 10 ** 6 + 1, since: { at: at - 1_000, done: 0 } }),
      openJobsWrite(none, [RUNNING], Number(RUNNING)),
    ]);
  }
}
