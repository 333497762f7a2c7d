import pLimit from 'p-limit';
import { type Timestamp, toTimestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { createItemLoader, type ItemLoader } from '../../dynamo/itemLoader.ts';
import { keys, ranges } from '../../dynamo/keys.ts';
import type { Change } from '../../stream/change.ts';
import type { Activity } from './act.ts';

const READS_AT_ONCE = 16;
/** Of a sequence number. */
const DIGITS = 40;

type KeyOf<T extends Change['key']['type']> = Extract<Change['key'], { readonly type: T }>;

/**
 * What people did, out of the stream's records and in their order, for those who are told of it: likes, stamps
 * and mentions. (Replies, whose readers have to be looked for, are in `followers.ts`.)
 */
export function createActs({ dynamo }: { readonly dynamo: Dynamo }) {
  /** One batch of reads, for the authors of stamped messages, and a query for each stamp that was taken back. */
  async function actsOf(changes: readonly Change[]): Promise<Activity[]> {
    const items = createItemLoader(dynamo);
    const acts = await pLimit(READS_AT_ONCE).map(changes, (change) => {
      const { key, expired } = change;
      if (expired) return [];
      if (key.type === 'like') return likes(change, key);
      if (key.type === 'stampGuard') return stamps(change, key, items);
      return key.type === 'root' || key.type === 'reply' ? mentions(change, key) : [];
    });
    return acts.flat().filter(({ user, actor }) => user !== actor);
  }

  function likes(change: Change, { room, t, c, user: actor }: KeyOf<'like'>): Activity[] {
    const like = change.new ?? change.old;
    const deed = deedOf(change);
    if (like === undefined || deed === null) return [];
    const { author: user, at } = like as { author: string; at: Timestamp };
    return [{ user, kind: 'LIKE', room, t, c, actor, deed, at, number: numberOf(change) }];
  }

  async function stamps(change: Change, key: KeyOf<'stampGuard'>, items: ItemLoader): Promise<Activity[]> {
    const guard = change.new ?? change.old;
    const deed = deedOf(change);
    if (guard === undefined || deed === null) return [];
    // Stamps of one person on one message are one act: it is taken back with the last of them.
    if (deed === 'taken' && (await hasStamped(key))) return [];
    const { room, t, c, user: actor } = key;
    const message = await items.load(keys.message(room, t, c));
    if (message === undefined) return [];
    const user = message.author as string;
    return [
      { user, kind: 'STAMP', room, t, c, actor, deed, at: guard.s as Timestamp, number: numberOf(change) },
    ];
  }

  async function hasStamped({ user, room, t, c }: KeyOf<'stampGuard'>): Promise<boolean> {
    const { items } = await dynamo.query(ranges.stampGuards(user, { room, t, c }), { limit: 1 });
    return items.length > 0;
  }

  return { actsOf };
}

/**
 * Those whom a new message mentions; and those whom it does not any more, once it is edited or deleted. Whom an
 * edit mentions is told nothing: nobody is called for twice.
 */
function mentions({ kind, old, new: message }: Change, { room, t, c }: KeyOf<'root' | 'reply'>): Activity[] {
  if (message === undefined) return [];
  const [before, now] = [mentionedIn(old), mentionedIn(message)];
  const act = {
    ...({ kind: 'MENTION', room, t, c, at: c } as const),
    actor: message.author as string,
    number: toTimestamp(message.rev as number),
  };
  if (kind === 'INSERT') return now.map((user) => ({ ...act, user, deed: 'given' }));
  return before.filter((user) => !now.includes(user)).map((user) => ({ ...act, user, deed: 'taken' }));
}

const mentionedIn = (message: Change['old']): readonly string[] =>
  (message?.mentions as string[] | undefined) ?? [];

const deedOf = ({ kind }: Change): Activity['deed'] | null =>
  kind === 'INSERT' ? 'given' : kind === 'REMOVE' ? 'taken' : null;

/**
 * A like that is taken back and given again is the same item, and clocks may differ: only the stream knows what
 * came after what. Records of one person's marks on one message come from one shard and its children, and
 * labels of streams are points in time.
 */
const numberOf = ({ stream, sequence }: Change): string => `${stream}#${sequence.padStart(DIGITS, '0')}`;
