import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { microsOf, type Timestamps } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN, optimistic } from '../../dynamo/optimistic.ts';
import { memberMessage } from '../../messages/change.ts';
import type { Message, MessageKey } from '../../messages/message.ts';
import { followOf, followUpdate } from './follow.ts';

export interface FollowingOptions {
  readonly dynamo: Dynamo;
  readonly timestamps: Timestamps;
}

type Thread = Pick<MessageKey, 'room' | 't'>;

export type FollowingService = ReturnType<typeof createFollowing>;

/** What people say about hearing of a thread's replies; see `follow.ts` for what else has them follow it. */
export function createFollowing({ dynamo, timestamps }: FollowingOptions) {
  /** What one person says of one thread: in one process one after another. */
  const sayings = createKeyedMutex();

  /**
   * Follows a message's thread, or not any more; resolves to its root. Saying it twice is no error. Two round
   * trips. Throws NOT_FOUND and FORBIDDEN.
   */
  const follow = (user: string, { room, t }: MessageKey, following: boolean): Promise<Message> =>
    sayings.run(`${user} ${room} ${t}`, () => saying(user, { room, t }, following));

  const saying = (user: string, { room, t }: Thread, following: boolean): Promise<Message> =>
    optimistic(async () => {
      const [{ message }, item] = await Promise.all([
        memberMessage(dynamo, user, { room, t, c: t }),
        dynamo.get(keys.follow(room, t, user)),
      ]);
      const last = item === undefined ? null : followOf(item);
      // After what was said before, whatever the clocks of the servers say.
      const at = timestamps.next(last === null ? 0 : microsOf(last.at) + 1);
      const silent = last === null && message.author === user;
      const update = followUpdate({ room, t, user, following, at, since: silent ? t : at });
      const failed = await dynamo.tryTransact({
        membership: { check: keys.membership(user, room), condition: 'attribute_exists(pk)' },
        follow: {
          ...update,
          condition: last === null ? 'attribute_not_exists(pk)' : '#at = :last',
          values: { ...update.values, ...(last === null ? {} : { ':last': last.at }) },
        },
      });
      return failed === undefined ? message : AGAIN;
    });

  return { follow };
}

/** Whether somebody follows a thread, by its root and what is stored about them and it. */
export const isFollowing = (user: string, { author }: Message, item: Item | undefined): boolean =>
  item === undefined ? author === user : followOf(item).following;
