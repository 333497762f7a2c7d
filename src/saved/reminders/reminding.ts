import type { Dynamo } from '../../dynamo/dynamo.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import type { TimerKind } from '../../timers/timer.ts';
import { writeCounts } from '../counts.ts';
import { entryOf, rowWrites, writeEntry } from '../entry.ts';
import { type AboutReminder, REMINDER_TIMER, remindedKey } from './reminder.ts';

/**
 * Ends a reminder when it is due, in one transaction on the version of the entry. What it leaves there, the time that
 * was due, is what the notification is derived from. So a reminder ends once, also by two processes, after crashes, and
 * if the user moves or removes it at the same moment. Whether the user may see the message does not matter here: the
 * notification withholds what they may not see.
 */
export const createReminding = ({ dynamo }: { readonly dynamo: Dynamo }): TimerKind<AboutReminder> => ({
  name: REMINDER_TIMER,
  handle: ({ about, due, failures }) =>
    dynamo.optimistic(async () => {
      const key = remindedKey(about);
      const [item, profile] = await dynamo.batchGet([keys.saved(key.user, key), keys.user(key.user)]);
      const before = entryOf(key, item);
      const remindedAt = failures?.setFor ?? due;
      if (before === undefined || before.remindAt !== remindedAt) return;
      // The job that deletes the account has not reached it yet.
      if (profile === undefined || profile.deletedAt !== undefined) return;
      const after = { ...before, remindAt: null, version: before.version + 1 };
      const failed = await dynamo.tryTransact({
        entry: writeEntry(after, before.version, remindedAt),
        rows: rowWrites(before, after),
        counts: writeCounts(key.user, [{ before, after }]),
      });
      return failed === undefined ? undefined : AGAIN;
    }),
});
