import { badUserInput, notFound } from '../../core/errors.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { type Job, timerOfJob } from '../../jobs/job.ts';
import { createPersonJobs } from '../../jobs/personJobs.ts';
import { createJobRunner } from '../../jobs/runner.ts';
import type { SavedVisibility } from '../entry.ts';
import { type SavedTag, savedTagOf, writeTagName } from '../tag.ts';
import { isSame, type TagName } from '../tagName.ts';
import {
  type AboutMerge,
  type AboutPublish,
  type AboutTag,
  countChanged,
  countToPublish,
  createTagJobs,
  DELETE,
  MERGE,
  PUBLISH,
} from './tagJobs.ts';

export interface TagChangesOptions {
  readonly dynamo: Dynamo;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Below this number of messages a job is done in the answer. */
const DONE_AT_ONCE = 25;

export type TagChanges = ReturnType<typeof createTagChanges>;

/** What users do to a tag, and so to all messages that have it. */
export function createTagChanges({ dynamo, now }: TagChangesOptions) {
  const personJobs = createPersonJobs({ dynamo, now });
  // What is done in an answer is bounded by its size and by the rate limit, not by the budget of the worker.
  const budget = { reserve: () => now(), settle() {} };
  const [, runner] = createJobRunner({ dynamo, kinds: createTagJobs({ dynamo }).kinds, now, budget });

  async function load(user: string, id: string): Promise<SavedTag> {
    const tag = savedTagOf(user, id, await dynamo.get(keys.savedTag(user, id)));
    if (tag === undefined) throw notFound();
    return tag;
  }

  /**
   * Stores a job. With a small tag it is done before this resolves, unless another one of the user's is before it.
   * `total`: how many messages it goes through.
   */
  async function start(tag: SavedTag, kind: string, about: Item, total = tag.count): Promise<Job> {
    const { user, count } = tag;
    const job = await personJobs.add(user, { kind, about, total });
    if (count >= DONE_AT_ONCE) return job;
    // Its timer continues it if this fails.
    await runner?.handle(timerOfJob(job, job.runAt ?? now())).catch(() => {});
    return (await personJobs.find(user, job.id)) ?? job;
  }

  const aboutTag = ({ user, id, name }: SavedTag): AboutTag => ({ user, tag: id, name: name.shown });

  function merge(from: SavedTag, into: SavedTag): Promise<Job> {
    const { shown, folded } = into.name;
    const about: AboutMerge = { ...aboutTag(from), into: into.id, intoName: shown, intoFolded: folded };
    return start(from, MERGE, about);
  }

  /**
   * Gives a tag another name: one read of each name and one transaction, at any number of messages. If another tag has
   * the name, the tag is merged into that one. Resolves to the tag that has the name then, or will have it. Throws
   * NOT_FOUND.
   */
  const rename = (
    user: string,
    id: string,
    name: TagName,
  ): Promise<{ readonly tag: SavedTag; readonly job: Job | null }> =>
    dynamo.optimistic(async () => {
      const tag = await load(user, id);
      if (tag.name.shown === name.shown) return { tag, job: null };
      if (!isSame(tag.name, name)) {
        const reserved = await dynamo.get(keys.savedTagName(user, name.folded));
        if (reserved !== undefined) {
          const into = savedTagOf(
            user,
            reserved.tag as string,
            await dynamo.get(keys.savedTag(user, reserved.tag as string)),
          );
          // It went away after its name was read.
          return into === undefined ? AGAIN : { tag: into, job: await merge(tag, into) };
        }
      }
      const failed = await dynamo.tryTransact({ renamed: writeTagName(tag, name) });
      return failed === undefined ? { tag: { ...tag, name, version: tag.version + 1 }, job: null } : AGAIN;
    });

  return {
    rename,
    /** Gives all messages of one tag another one instead. Throws NOT_FOUND, and CONFLICT with too many open jobs. */
    async merge(user: string, from: string, into: string): Promise<Job> {
      if (from === into) throw badUserInput('input.intoTagId', 'A tag cannot be merged into itself.');
      const [one, other] = await Promise.all([load(user, from), load(user, into)]);
      return merge(one, other);
    },
    /** Removes a tag from all messages that have it. Throws as `merge`. */
    async remove(user: string, id: string): Promise<Job> {
      const tag = await load(user, id);
      return start(tag, DELETE, aboutTag(tag));
    },
    /**
     * Changes the visibility of all messages with a tag. Throws as `merge`, and CONFLICT if there are not `expected` of
     * them.
     */
    async setVisibility(
      user: string,
      id: string,
      { visibility, expected }: { readonly visibility: SavedVisibility; readonly expected: number },
    ): Promise<Job> {
      const tag = await load(user, id);
      if (tag.count !== expected) throw countChanged();
      const about: AboutPublish = { ...aboutTag(tag), visibility, expected };
      return start(tag, PUBLISH, about, countToPublish(tag, visibility));
    },
    jobs: personJobs,
  };
}
