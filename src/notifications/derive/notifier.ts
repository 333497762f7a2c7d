import { defined } from '../../core/defined.ts';
import { groupBy } from '../../core/groupBy.ts';
import { newId } from '../../core/ids.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import { mapAtMost } from '../../core/mapAtMost.ts';
import { secondsOf } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { joinNumber } from '../../rooms/room.ts';
import type { Retention } from '../notification.ts';
import type { Activity } from './activity.ts';
import { applyActivity, type ReduceContext } from './reducer.ts';
import { createNotificationStore } from './store.ts';

/** Actors of one transaction. With the notification's own items that is far below DynamoDB's limit of 100 items. */
const ACTORS_MAX = 25;
/** Recipients whose notifications are written at the same time. */
const RECIPIENTS_AT_ONCE = 16;

export interface NotifierOptions {
  readonly dynamo: Dynamo;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Called for every notification that was created or changed. */
  readonly onChange?: (kind: Activity['kind']) => void;
}

export type Notifier = ReturnType<typeof createNotifier>;

/** Writes notifications of what other users did. */
export function createNotifier({ dynamo, retention, now = Date.now, onChange }: NotifierOptions) {
  const store = createNotificationStore({ dynamo, retention });
  /** Every write of a recipient's notifications changes their badge, so a process does them one after another. */
  const recipients = createKeyedMutex();

  /**
   * Applies these activities, those of each recipient, kind and message in the order given. Idempotent. Each group
   * takes one or two round trips to read (see `load`) and one transaction to write, whose conditions require that
   * nothing changed meanwhile. Activities of up to ACTORS_MAX actors share a transaction, so that many cost less than
   * one by one. Resolves to how many notifications were created or changed. Throws `ContentionError` or `OutageError`
   * if one of them could not be written; others may have been written already.
   */
  async function notify(activities: readonly Activity[]): Promise<number> {
    const byUser = groupBy(activities, ({ user }) => user);
    let changed = 0;
    await mapAtMost(RECIPIENTS_AT_ONCE, byUser, ([user, own]) =>
      recipients.run(user, async () => {
        for (const part of [...groupBy(own, subjectOf).values()].flatMap(partsOf)) {
          if (!(await write(part))) continue;
          changed++;
          onChange?.(part[0].kind);
        }
      }),
    );
    return changed;
  }

  /** All activities are of one recipient, kind and message. Resolves to whether the notification changed. */
  function write(activities: readonly [Activity, ...Activity[]]): Promise<boolean> {
    const id = newId();
    return dynamo.optimistic(async () => {
      const { before, blocked, ...status } = await store.load(activities);
      const { badge, membership } = before;
      const join = membership === null ? undefined : joinNumber(membership.version);
      const context: ReduceContext = {
        ...status,
        id,
        epoch: badge.epoch,
        now: secondsOf(now()),
        retention,
        ...defined({ join }),
      };
      const after = activities.reduce(
        (state, one) =>
          applyActivity(state, one, { ...context, muted: context.muted || blocked.has(one.actor) }),
        before.state,
      );
      if (after === before.state) return false;
      // If it failed, the recipient has read it meanwhile, or another consumer has written it.
      if (!(await store.save(before, after))) return AGAIN;
      return after.current !== before.state.current;
    });
  }

  return { notify };
}

const subjectOf = ({ kind, room, threadTs, ts }: Activity): string => `${kind} ${room} ${threadTs} ${ts}`;

/** Cuts the list, in its order, into parts of at most ACTORS_MAX actors. */
function partsOf(activities: readonly Activity[]): Array<[Activity, ...Activity[]]> {
  const parts: Array<[Activity, ...Activity[]]> = [];
  let actors = new Set<string>();
  for (const activity of activities) {
    const part = parts.at(-1);
    if (part === undefined || (actors.size >= ACTORS_MAX && !actors.has(activity.actor))) {
      parts.push([activity]);
      actors = new Set();
    } else {
      part.push(activity);
    }
    actors.add(activity.actor);
  }
  return parts;
}
