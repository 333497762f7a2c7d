import { type Topic, topic } from '../../bus/bus.ts';
import type { Publisher } from '../../bus/publisher.ts';
import type { Item } from '../../dynamo/item.ts';
import type { StreamHandler } from '../../stream/change.ts';
import { versionOf } from '../entry.ts';

/**
 * A saved message was changed or removed. The event has only its name: a server that shows it reads its current value
 * together with the counts.
 */
export type SavedUpdate = {
  readonly room: string;
  readonly threadTs: string;
  readonly ts: string;
  /** The version that the change made. A server that has sent this one or a later one ignores the event. */
  readonly version: number;
};

/** A tag has another name, and so have all messages with it. There may be a million, so none is named. */
export type RenamedUpdate = { readonly renamed: string };

export const savedTopic = (user: string): Topic<SavedUpdate | RenamedUpdate> => topic(`saved:${user}`);

/** Publishes which of a user's saved messages have changed, and that a tag has another name. */
export const createSavedHandler = ({ publisher }: { readonly publisher: Publisher }): StreamHandler => ({
  // The name is stored in dead letters.
  name: 'savedNews',
  itemTypes: ['saved', 'savedTag'],
  async handle(changes) {
    await Promise.all(
      changes.map(async ({ key, old, new: now }) => {
        if (key.type === 'saved') {
          const { user, room, threadTs, ts } = key;
          const version = now === undefined ? versionOf(old) + 1 : versionOf(now);
          await publisher.publish(savedTopic(user), { room, threadTs, ts, version });
        } else if (key.type === 'savedTag' && isRenamed(old, now)) {
          await publisher.publish(savedTopic(key.user), { renamed: key.tag });
        }
      }),
    );
  },
});

/** A tag that is new or gone is part of changes of messages. */
const isRenamed = (old: Item | undefined, now: Item | undefined): boolean =>
  old !== undefined && now !== undefined && old.name !== now.name;
