/**
 * The index by which users are found has entries since this release. Those of users whose handle an earlier release
 * wrote are added here: by a job that reads the table once, and for what servers of that release still write, by a
 * handler.
 */
import { mapAtMost } from '../core/mapAtMost.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, keys, parseKey } from '../dynamo/keys.ts';
import { type ConversionOptions, createConversion } from '../jobs/conversion.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import type { Change, StreamHandler } from '../stream/change.ts';
import { handleEntry } from './handles.ts';
import { sameHandleRev, type User, userOf } from './user.ts';

const USERS_AT_ONCE = 8;
export function createHandleConversion(options: ConversionOptions) {
  const { dynamo } = options;

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

  const isUnknown = ({ handle, handleRev }: User): boolean => handle !== null && handleRev === undefined;

  async function adoptAll(items: readonly Item[]): Promise<void> {
    const users = items.flatMap((item): User[] => {
      const key = parseKey(keyOf(item));
      return key.type === 'user' ? [userOf(key.user, item)] : [];
    });
    await mapAtMost(USERS_AT_ONCE, users.filter(isUnknown), adopt);
  }

  const { jobKind, upkeep } = createConversion(options, {
    name: 'handles',
    kind: 'handleConversion',
    guard: { condition: 'sk = :sk', values: { ':sk': PROFILE } },
    adopt: adoptAll,
  });

  /** A server of an earlier release has set the handle: it does not raise the version. */
  const handler: StreamHandler = {
    name: 'handles',
    itemTypes: ['user'],
    async handle(changes) {
      await mapAtMost(USERS_AT_ONCE, changes.flatMap(setByEarlierRelease), adopt);
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
