/**
 * The index by which users are found has entries since this release. Those of users whose handle an earlier release wrote
 * are added here: by a job that reads the table once, and for what servers of that release still write, by a handler.
 */
import pLimit from 'p-limit';
import { defined } from '../core/defined.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keyOf, keys, parseKey } from '../dynamo/keys.ts';
import { converted } from '../dynamo/table.ts';
import type { JobKind, Jobs } from '../jobs/jobs.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import { handleEntry } from './handles.ts';
import { sameHandleRev, type User, userOf } from './user.ts';

const USERS_AT_ONCE = 8;
/** The time between two steps, each of which reads 1 MB of the table: at most 256 read units a second. */
const STEP_MS = 1_000;
/** The table is read a second time, after the servers of the release before have been replaced. */
const AGAIN_AFTER_MS = 3_600_000;

/** How far the job is. */
interface Position {
  readonly after?: Key;
  /** The second time. */
  readonly again?: true;
}

export interface HandleConversionOptions {
  readonly dynamo: Dynamo;
  readonly jobs: Jobs;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createHandleConversion({ dynamo, jobs, now }: HandleConversionOptions) {
  /** This process knows that it is done. */
  let done = false;

  /**
   * Adds a user's handle to the index and raises its version, from which the handler of `memberHandles` derives the
   * entries of their rooms. One transaction; nothing if the handle has changed since `user` was read.
   */
  async function adopt(user: User): Promise<void> {
    const { id, handle, handleRev = 0 } = user;
    const { condition, values } = sameHandleRev(user);
    const same = handle === null ? 'attribute_not_exists(handle)' : 'handle = :handle';
    const ofHandle = handle === null ? {} : { ':handle': handle };
    await dynamo.tryTransact({
      profile: {
        key: keys.user(id),
        update: 'SET handleRev = :next',
        condition: `attribute_exists(pk) AND ${condition} AND ${same}`,
        values: { ...values, ...ofHandle, ':next': handleRev + 1 },
      },
      handle: handle === null ? undefined : entryWrite(handle, id),
    });
  }

  const at = (position: Position, ms: number) => ({ cursor: JSON.stringify(position), runAt: now() + ms });

  const isUnknown = ({ handle, handleRev }: User): boolean => handle !== null && handleRev === undefined;

  async function adoptAll(items: readonly Item[]): Promise<void> {
    const users = items.flatMap((item): User[] => {
      const key = parseKey(keyOf(item));
      return key.type === 'user' ? [userOf(key.user, item)] : [];
    });
    await pLimit(USERS_AT_ONCE).map(users.filter(isUnknown), adopt);
  }

  /** Its name is stored with the job, and its cursor is a key of the table. */
  const jobKind: JobKind = {
    name: 'handleConversion',
    async step(_about, cursor) {
      const { after, again } = JSON.parse(cursor ?? START) as Position;
      const { items, next } = await dynamo.scanPage(
        { condition: 'sk = :sk', values: { ':sk': PROFILE } },
        after,
      );
      await adoptAll(items);
      if (next !== undefined) return at({ after: next, ...defined({ again }) }, STEP_MS);
      if (again === undefined) return at({ again: true }, AGAIN_AFTER_MS);
      await dynamo.put(converted('handles'));
      return null;
    },
  };

  /** Starts the job unless it is done. One read, and none once this process knows that it is done. */
  async function upkeep(): Promise<void> {
    if (done) return;
    done = (await dynamo.get(keys.conversion('handles'))) !== undefined;
    if (!done) await jobs.add({ id: 'handles', kind: jobKind.name, about: {}, cursor: START });
  }

  /** A server of an earlier release has set the handle: it does not raise the version. */
  const handler: StreamHandler = {
    name: 'handles',
    itemTypes: ['user'],
    async handle(changes) {
      await pLimit(USERS_AT_ONCE).map(changes.flatMap(setByEarlierRelease), adopt);
    },
  };

  /** For a rebuild. */
  const createVisitor = (): Visitor => ({
    async visit(key, item) {
      if (key.type === 'user') await adoptAll([item]);
    },
  });

  return { adopt, jobKind, upkeep, handler, createVisitor };
}

const START = JSON.stringify({} satisfies Position);
const PROFILE = keys.user('').sk;

function setByEarlierRelease({ key, old, new: item }: Change): User[] {
  if (key.type !== 'user' || item === undefined) return [];
  const isSame = old?.handle === item.handle || old?.handleRev !== item.handleRev;
  return isSame ? [] : [userOf(key.user, item)];
}

const entryWrite = (handle: string, user: string) => {
  const { gsi1pk, gsi1sk } = handleEntry(handle, user);
  return {
    key: keys.handle(handle),
    update: 'SET gsi1pk = :gsi1pk, gsi1sk = :gsi1sk',
    condition: '#user = :user AND attribute_not_exists(expiresAt)',
    names: { '#user': 'user' },
    values: { ':user': user, ':gsi1pk': gsi1pk, ':gsi1sk': gsi1sk },
  };
};
