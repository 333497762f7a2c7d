import type { Timestamp } from '../../core/timestamps.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import type { Item } from '../../dynamo/item.ts';
import { type Key, keys, parseKey, ranges } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { Write } from '../../dynamo/write.ts';
import { type Badge, badgeChange, badgeCheck, badgeOf } from '../badge.ts';
import {
  type Actor,
  asItIs,
  type Notification,
  notificationItem,
  notificationOf,
  type Retention,
  type Subject,
} from '../notification.ts';
import type { Activity } from './act.ts';
import { movedTo, moves } from './moving.ts';
import { type Notified, named, type Telling, type Terms } from './reducer.ts';

/** So many names are shown: below, others are looked for. */
const SHOWN = 2;
/** How many people are looked at for them. */
const LOOKED_AT_MAX = 500;

/** What stood in the table, and what the conditions of a change hold it to. */
export interface Found {
  readonly user: string;
  readonly subject: Subject;
  readonly badge: Badge;
  readonly telling: Telling;
  /** The notification that the pointer names. */
  readonly pointsTo: string | null;
  /** It, where it was read together with all others and its item does not say so yet: as it will be. */
  readonly unsettled: Notification | null;
}

/** Whether the person is to be told. */
type Hearing = Pick<Terms, 'quiet' | 'gone'>;

export interface TellingsOptions {
  readonly dynamo: Dynamo;
  readonly retention: Retention;
}

/** What people are told, as the table has it. */
export function createTellings({ dynamo, retention }: TellingsOptions) {
  /** Two round trips, the second where something is unread. */
  async function load(acts: readonly [Activity, ...Activity[]]): Promise<{ before: Found } & Hearing> {
    const [{ user, kind, room, t, c }] = acts;
    const subject: Subject = { kind, room, t, c };
    const actors = [...new Set(acts.map(({ actor }) => actor))];
    const [badgeItem, membership, pointer, ...notified] = await dynamo.batchGet([
      keys.badge(user),
      keys.membership(user, room),
      keys.pointer(user, subject),
      ...actors.map((actor) => keys.notified(user, subject, actor)),
    ]);
    const badge = badgeOf(badgeItem);
    const pointsTo = (pointer?.id as string | undefined) ?? null;
    const pointed = pointsTo === null ? null : await find(user, pointsTo);
    const isRead = pointed !== null && asItIs(pointed, badge, retention).readAt !== null;
    const { readAllAt } = badge;
    const before: Found = {
      ...{ user, subject, badge, pointsTo },
      telling: {
        current: isRead ? null : pointed,
        notified: new Map(
          actors.flatMap((actor, i): Array<[string, Notified]> => {
            const item = notified[i];
            return item === undefined ? [] : [[actor, notifiedOf(item)]];
          }),
        ),
      },
      unsettled:
        isRead && pointed.readAt === null && readAllAt !== null
          ? movedTo(pointed, readAllAt, retention)
          : null,
    };
    // Where one is mentioned one is called for, in a muted room as well.
    const quiet = membership === undefined || (membership.muted === true && kind !== 'MENTION');
    return { before, quiet, gone: membership === undefined };
  }

  async function find(user: string, id: string): Promise<Notification | null> {
    const item = await dynamo.get(keys.notification(user, id));
    return item === undefined ? null : notificationOf(user, id, item);
  }

  /** One transaction. Resolves to false, with nothing written, if something changed since it was read. */
  async function save(before: Found, after: Telling): Promise<boolean> {
    const { current } = after;
    const isSame = current === before.telling.current;
    const complete = current === null || isSame ? current : await withNames(before, after, current);
    const failed = await dynamo.tryTransact({
      actors: actorWrites(before, after),
      notification: complete === before.telling.current ? [] : notificationWrites(before, complete),
    });
    return failed === undefined;
  }

  /** After many were taken back: two names again, as far as a bounded search finds them. */
  async function withNames(before: Found, after: Telling, current: Notification): Promise<Notification> {
    if (current.actors.length >= Math.min(SHOWN, current.count)) return current;
    const others: Actor[] = [];
    const { items } = await dynamo.query(ranges.notified(before.user, before.subject), {
      limit: LOOKED_AT_MAX,
    });
    for (const item of items) {
      const key = parseKey(item as Item & Key);
      if (key.type !== 'notified') continue;
      const now = after.notified.get(key.actor) ?? notifiedOf(item);
      if (now.in === current.id) others.push({ user: key.actor, at: now.at });
    }
    return others.length > current.actors.length ? { ...current, actors: named(others) } : current;
  }

  return { load, save };
}

/** Those whose acts were folded in and changed something. */
const actorWrites = ({ user, subject, telling }: Found, after: Telling): Write[] =>
  [...after.notified].flatMap(([actor, now]): Write[] => {
    const before = telling.notified.get(actor);
    if (before === now) return [];
    // Where it stays in the notification that it was in, its time may just be written in the background.
    const timed = before?.in !== now.in || before.expiresAt !== now.expiresAt;
    const time = now.expiresAt === null ? ' REMOVE expiresAt' : ', expiresAt = :expiresAt';
    return [
      {
        key: keys.notified(user, subject, actor),
        update: `SET #last = :last, #in = :in, #at = :at, v = :v${timed ? time : ''}`,
        condition: before === undefined ? 'attribute_not_exists(pk)' : '#last = :before',
        names: { '#last': 'last', '#in': 'in', '#at': 'at' },
        values: {
          ':last': now.last,
          ':in': now.in,
          ':at': now.at,
          ':v': SCHEMA_VERSION,
          ...(before === undefined ? {} : { ':before': before.last }),
          ...(timed && now.expiresAt !== null ? { ':expiresAt': now.expiresAt } : {}),
        },
      },
    ];
  });

/** The notification, the pointer to it and the badge, which change together. */
function notificationWrites(found: Found, now: Notification | null): Write[] {
  const { user, subject, badge, pointsTo, unsettled } = found;
  const before = found.telling.current;
  const change = (now?.count ?? 0) - (before?.count ?? 0);
  const replaced = before !== null && before.id !== now?.id;
  return [
    ...(replaced ? [removal(before)] : []),
    ...(unsettled === null ? [] : [moves(unsettled)]),
    ...(now === null ? [] : [placing(now, replaced ? null : before)]),
    ...(now?.id === pointsTo ? [] : [pointing(user, subject, { from: pointsTo, to: now?.id ?? null })]),
    change === 0 ? badgeCheck(user, badge.epoch) : badgeChange(user, badge.epoch, change),
  ];
}

const removal = ({ user, id, rev }: Notification): Write => ({
  delete: keys.notification(user, id),
  condition: 'rev = :rev',
  values: { ':rev': rev },
});

/** `before`: what it replaces; null: it is new. */
const placing = (now: Notification, before: Notification | null): Write => ({
  put: notificationItem(now),
  ...(before === null
    ? { condition: 'attribute_not_exists(pk)' }
    : { condition: 'rev = :rev', values: { ':rev': before.rev } }),
});

interface Pointing {
  readonly from: string | null;
  readonly to: string | null;
}

function pointing(user: string, subject: Subject, { from, to }: Pointing): Write {
  const key = keys.pointer(user, subject);
  const guard =
    from === null
      ? { condition: 'attribute_not_exists(pk)' }
      : { condition: '#id = :from', names: { '#id': 'id' }, values: { ':from': from } };
  return to === null ? { delete: key, ...guard } : { put: { ...key, v: SCHEMA_VERSION, id: to }, ...guard };
}

const notifiedOf = (item: Item): Notified => ({
  last: item.last as string,
  in: item.in as string,
  at: item.at as Timestamp,
  expiresAt: (item.expiresAt as number | undefined) ?? null,
});
