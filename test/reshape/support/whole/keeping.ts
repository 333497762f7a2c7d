import { newId } from '../../../../src/core/ids.ts';
import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import {
  JobNode,
  MergeSavedTags,
  PublicSaved,
  RemoveSavedMessage,
  SavedMessages,
  SavedTags,
  SaveMessage,
  SetVisibilityOfTagged,
} from '../../../saved/support/operations.ts';
import { storedOf } from '../../../saved/support/stored.ts';
import { walk } from '../../../saved/support/walk.ts';
import type { TestClient } from '../../../support/clients/client.ts';
import { differs, listDiffers } from './differs.ts';
import type { Kept, Request, Told } from './told.ts';

/** So few that most jobs are about messages that are many enough for more than one step. */
export const TAGS = ['left', 'right'] as const;
const VISIBILITIES = ['PUBLIC', 'PRIVATE'] as const;

export interface KeepingOptions {
  readonly request: Request;
  readonly random: () => number;
  readonly onFault: (what: string) => void;
  /** One of all messages. */
  readonly anyMessage: () => string | undefined;
}

/**
 * What users do with what they have saved. While a job of theirs changes all that has a tag, they only look whether it
 * has ended: what it leaves is known exactly then.
 */
export function createKeeping({ request, random, onFault, anyMessage }: KeepingOptions) {
  const one = <T>(list: readonly [T, T]): T => list[random() < 0.5 ? 0 : 1];

  /** Whether no job of the user is under way. */
  async function isFree(user: Told): Promise<boolean> {
    const { job } = user;
    if (job === undefined) return true;
    const data = await request(user, JobNode, { id: job.id });
    const state = data?.node != null && 'state' in data.node ? data.node.state : undefined;
    if (state === 'QUEUED' || state === 'RUNNING') return false;
    // If it was asked for twice, because the first answer was lost, the second one finds no tag.
    if (state !== 'DONE' && state !== 'FAILED') onFault(`A job of ${user.handle} is ${state}`);
    ended(user, job.change);
    return true;
  }

  function begin(user: Told, id: string, change: (kept: Kept) => Kept): void {
    user.job = { id, change };
    user.jobs.push(id);
  }

  function ended(user: Told, change: (kept: Kept) => Kept): void {
    for (const [id, kept] of user.saved) user.saved.set(id, change(kept));
    delete user.job;
  }

  async function save(user: Told): Promise<void> {
    const messageId = anyMessage();
    if (messageId === undefined || !(await isFree(user))) return;
    if (user.saved.has(messageId) && !user.reminders.has(messageId) && random() < 0.5) {
      const input = { messageId };
      if ((await request(user, RemoveSavedMessage, { input }, ['NOT_FOUND'])) !== undefined)
        user.saved.delete(messageId);
      return;
    }
    const kept: Kept = { tags: TAGS.filter(() => random() < 0.5), visibility: one(VISIBILITIES) };
    const input = { messageId, note: newId().slice(0, 20), ...kept, tags: [...kept.tags] };
    if ((await request(user, SaveMessage, { input })) !== undefined) user.saved.set(messageId, kept);
  }

  /** Changes all that has a tag. */
  async function tidy(user: Told): Promise<void> {
    if (!(await isFree(user))) return;
    const data = await request(user, SavedTags, { first: 10 });
    const tags = data?.viewer.savedTags.edges.map(({ node }) => node) ?? [];
    const from = tags[random() < 0.5 ? 0 : 1];
    const into = tags.find((tag) => tag !== from);
    if (from === undefined) return;
    if (into !== undefined && random() < 0.5) {
      const change = (kept: Kept): Kept =>
        kept.tags.includes(from.name) ? { ...kept, tags: merged(kept.tags, from.name, into.name) } : kept;
      const input = { fromTagId: from.id, intoTagId: into.id };
      const begun = await request(user, MergeSavedTags, { input }, ['NOT_FOUND']);
      const id = begun?.mergeSavedTags?.job.id;
      // The answer was lost, and the job has ended.
      if (id === undefined) ended(user, change);
      else begin(user, id, change);
      return;
    }
    const visibility = one(VISIBILITIES);
    const input = { tagId: from.id, visibility, expectedCount: from.count };
    const begun = await request(user, SetVisibilityOfTagged, { input });
    const id = begun?.setVisibilityOfTagged?.job.id;
    if (id === undefined) return;
    begin(user, id, (kept) => (kept.tags.includes(from.name) ? { ...kept, visibility } : kept));
  }

  return { save, tidy, isFree };
}

const merged = (tags: readonly string[], from: string, into: string): string[] => [
  ...new Set(tags.map((tag) => (tag === from ? into : tag))),
];

export interface WrongKeptOptions {
  readonly dynamo: Dynamo;
  readonly client: TestClient;
  /** A client of another user. */
  readonly other: TestClient;
}

const PAGE = 50;
const lineOf = (id: string, { tags, visibility }: Kept) => `${id} ${visibility} ${[...tags].sort().join()}`;

/**
 * Whether what a user has saved is what was acknowledged, with its tags; whether others see what is public, and nothing
 * else.
 */
export async function wrongKept(user: Told, { dynamo, client, other }: WrongKeptOptions): Promise<string[]> {
  const saved = await walk(async (page) => (await client.do(SavedMessages, page)).viewer.savedMessages, PAGE);
  const shown = await walk(async (page) => {
    const { node } = await other.do(PublicSaved, { id: user.globalId, ...page });
    if (node == null || !('savedMessages' in node)) throw new Error(`${user.handle} is not shown.`);
    return node.savedMessages;
  }, PAGE);
  const states = await Promise.all(
    user.jobs.map(async (id) => {
      const { node } = await client.do(JobNode, { id });
      return node != null && 'state' in node ? node.state : undefined;
    }),
  );
  const { savedTags } = (await client.do(SavedTags, { first: 10 })).viewer;
  const expected = [...user.saved].map(([id, kept]) => lineOf(id, kept));
  const having = (tag: string) => [...user.saved.values()].filter(({ tags }) => tags.includes(tag));
  return [
    ...(await storedOf(dynamo, user.id)).faults,
    ...listDiffers(
      `saved by ${user.handle}`,
      saved.map((one) => lineOf(one.message?.id ?? '', one)),
      expected,
    ),
    ...listDiffers(
      `what others see of ${user.handle}`,
      shown.map((one) => lineOf(one.message?.id ?? '', one)),
      expected.filter((line) => line.includes(' PUBLIC ')),
    ),
    ...states.flatMap((state, i) =>
      state === 'DONE' || state === 'FAILED' ? [] : [`The job ${user.jobs[i]} of ${user.handle} is ${state}`],
    ),
    ...savedTags.edges.flatMap(({ node: { name, count, publicCount } }) =>
      differs(
        `the tag ${name} of ${user.handle}`,
        [count, publicCount],
        [having(name).length, having(name).filter(({ visibility }) => visibility === 'PUBLIC').length],
      ),
    ),
  ];
}
