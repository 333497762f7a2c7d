import { idFrom } from '../core/ids.ts';
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ifConditionHolds } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, type KeyRange, keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import type { JobKind, NextStep } from '../jobs/jobs.ts';
import { type MessageKey, storedMessageKey } from '../messages/message.ts';
import { CleanupIncomplete } from '../reactions/cleanup.ts';
import { REACTIONS } from '../reactions/registry.ts';
import { endMembershipOfDeletedRoom } from '../rooms/membership/deletedRoom.ts';
import { waitlistEntriesOf } from '../rooms/membership/waitlist.ts';

/** Items of one step. */
const STEP_ITEMS = 25;
const WRITES_AT_ONCE = 8;

/**
 * What is deleted, in this order. Every write to the content of a room requires a membership, and no one becomes a
 * member of a room without seats. So nothing is added to what comes after the members. Roots come before replies and
 * stamps, because the roots count them.
 */
const PHASES = ['members', 'waitlist', 'roots', 'replies', 'rest', 'log'] as const;
type Phase = (typeof PHASES)[number];

/** The name of the job's kind. */
export const DELETION = 'deleteRoom';
/** The first cursor. */
export const MEMBERS: Phase = 'members';

export type AboutRoom = { readonly room: string };

export const deletionJobId = (room: string): string => idFrom(`deleteRoom:${room}`);

export interface DeletionJobOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Deletes what a deleted room held, STEP_ITEMS in a step. Every step begins at the first item that is left, so it can
 * be repeated, and run twice at the same time. The cursor is the phase, and after a space the number of the retry if
 * the index does not list all likes of a message yet.
 */
export function createDeletionJob(options: DeletionJobOptions): JobKind<AboutRoom> {
  const { dynamo, timestamps } = options;
  const cleanups = REACTIONS.map(({ createCleanup }) => createCleanup(options));

  async function page(range: KeyRange) {
    const { items, more } = await dynamo.query(range, { limit: STEP_ITEMS });
    return { more, found: items.map((item) => ({ item, key: parseKey(keyOf(item)) })) };
  }

  const deleteAll = (items: readonly Key[]) => mapAtMost(WRITES_AT_ONCE, items, (key) => dynamo.remove(key));

  async function members(room: string): Promise<boolean> {
    const { found, more } = await page(ranges.members(room));
    await mapAtMost(WRITES_AT_ONCE, found, async ({ key }) => {
      if (key.type === 'member') await endMembershipOfDeletedRoom(dynamo, room, key.user);
    });
    return more;
  }

  async function waitlist(room: string): Promise<boolean> {
    const { found, more } = await page(ranges.waitlist(room));
    const entries = waitlistEntriesOf(found.map(({ item }) => item));
    await deleteAll(entries.map(({ user }) => keys.waiting(user, room)));
    await deleteAll(found.map(({ item }) => keyOf(item)));
    return more;
  }

  /** Messages are deleted after the reactions to them, whose items are elsewhere. */
  async function messages(range: KeyRange, retry: string | null): Promise<Exclude<NextStep, null> | boolean> {
    const { found, more } = await page(range);
    const results = await mapAtMost(WRITES_AT_ONCE, found, async ({ item, key }) => {
      if (key.type !== 'root' && key.type !== 'reply') return null;
      const next = await removeReactions(key, item, retry);
      if (next === null) await dynamo.remove(keyOf(item));
      return next;
    });
    const waiting = results.flatMap((next) => (next !== null && typeof next === 'object' ? [next] : []));
    const last = waiting.reduce((latest, one) => (one.runAt > latest.runAt ? one : latest), {
      cursor: '',
      runAt: 0,
    });
    if (waiting.length > 0) return last;
    return more || results.some((next) => next !== null);
  }

  /** One step for each kind. Resolves to null if the message has no reactions any more. */
  async function removeReactions(message: MessageKey, item: Item, retry: string | null): Promise<NextStep> {
    const needed = cleanups.filter((cleanup) => cleanup.mayHave(item));
    if (needed.length > 0 && item.deletedAt === undefined) await markDeleted(keyOf(item));
    for (const { kind } of needed) {
      const next = await orGiveUp(kind.step(storedMessageKey(message), retry));
      if (next !== null) return next;
    }
    return null;
  }

  /**
   * A message that counts reactions which no index has listed for half a minute has a wrong count. It is still deleted,
   * or the texts of all other messages would stay.
   */
  async function orGiveUp(step: Promise<NextStep>): Promise<NextStep> {
    try {
      return await step;
    } catch (error) {
      if (error instanceof CleanupIncomplete) return null;
      throw error;
    }
  }

  /** The reactions of messages that are not deleted are never cleared. */
  const markDeleted = (key: Key) =>
    ifConditionHolds(
      dynamo.update(key, {
        update: 'SET deletedAt = :at, rev = rev + :one REMOVE body, mentions',
        condition: 'attribute_exists(pk) AND attribute_not_exists(deletedAt)',
        values: { ':at': timestamps.next(), ':one': 1 },
      }),
    );

  async function rest(range: KeyRange): Promise<boolean> {
    const { found, more } = await page(range);
    const guards = found.flatMap(({ item, key }) =>
      key.type === 'stamp' ? [keys.stampGuard(item.user as string, key, item.stampKey as string)] : [],
    );
    // First what only these items name.
    await deleteAll(guards);
    await deleteAll(found.map(({ item }) => keyOf(item)));
    return more;
  }

  const PHASE_STEPS: Readonly<
    Record<Phase, (room: string, retry: string | null) => Promise<Exclude<NextStep, null> | boolean>>
  > = {
    members,
    waitlist,
    roots: (room, retry) => messages(ranges.roots(room), retry),
    replies: (room, retry) => messages(ranges.allReplies(room), retry),
    rest: (room) => rest(ranges.roomItems(room)),
    log: (room) => rest(ranges.roomLog(room)),
  };

  return {
    name: DELETION,
    async step({ room }, cursor) {
      const [name = MEMBERS, retry = null] = (cursor ?? MEMBERS).split(' ');
      const phase = PHASES.find((one) => one === name) ?? MEMBERS;
      const result = await PHASE_STEPS[phase](room, retry);
      if (typeof result === 'object') return { ...result, cursor: `${phase} ${result.cursor}` };
      if (result !== false) return phase;
      return PHASES[PHASES.indexOf(phase) + 1] ?? null;
    },
  };
}
