/** What is shown of a saved message, apart from the entry itself. */
import type { ItemLoader } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import { type Message, messageOf } from '../messages/message.ts';
import { isMember } from '../rooms/access.ts';
import type { SavedEntry, SavedKey } from './entry.ts';
import { savedTagOf } from './tag.ts';

/** Null if the viewer may not see the message any more. One round trip. */
export async function loadVisible(
  { room, threadTs, ts }: SavedKey,
  viewer: string,
  items: ItemLoader,
): Promise<Message | null> {
  const [item, member] = await Promise.all([
    items.load(keys.message(room, threadTs, ts)),
    isMember(room, viewer, items),
  ]);
  return item === undefined || !member ? null : messageOf({ room, threadTs, ts }, item);
}

/** The names of an entry's tags. One round trip, shared with those of the page's other entries. */
export async function loadNames({ user, tags }: SavedEntry, items: ItemLoader): Promise<string[]> {
  const found = await items.loadMany(tags.map((tag) => keys.savedTag(user, tag)));
  // A tag that was deleted after the entry was read.
  return tags.flatMap((tag, i) => savedTagOf(user, tag, found[i])?.name.shown ?? []);
}
