import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, parseKey } from '../../../src/dynamo/keys.ts';
import { type Message, messageOf } from '../../../src/messages/message.ts';
import { type Like, likeOf } from '../../../src/reactions/likes/like.ts';
import { type MessageStamp, toMessageStamp } from '../../../src/reactions/stamps/stamp.ts';
import { entryFrom, type LogEntry, type StoredLogEntry } from '../../../src/roomEvents/roomUpdate.ts';
import {
  type Counter,
  counterOf,
  type Member,
  type Membership,
  memberOf,
  membershipOf,
  type Seats,
  seatsOf,
} from '../../../src/rooms/room.ts';
import { type User, userOf } from '../../../src/users/user.ts';

/** Everything that a table holds, taken apart. */
export interface Contents {
  /** Keys of the items that do not say which shape they have. */
  readonly shapeless: string[];
  readonly users: User[];
  /** Whose each handle is; released ones left out. */
  readonly handles: Map<string, string>;
  readonly rooms: Set<string>;
  readonly seats: Map<string, Seats>;
  readonly counters: Map<string, Counter>;
  readonly members: Member[];
  readonly memberships: Membership[];
  /** Who waits where, by both sides of it. */
  readonly lines: { readonly rooms: string[]; readonly people: string[] };
  readonly messages: Message[];
  /** `stampTotal` of the messages that have one, by sort key. */
  readonly totals: Map<Message, number>;
  readonly stamps: MessageStamp[];
  readonly guards: MessageStamp[];
  /** With the keys that the index has of each. */
  readonly likes: Array<Like & { readonly gsi1pk: unknown; readonly gsi1sk: unknown }>;
  /** `likeCount` of every message; a deleted one's counts what is not cleared away yet. */
  readonly likeCounts: Map<Message, number>;
  readonly logs: Array<{
    readonly room: string;
    readonly last: number;
    readonly entries: readonly LogEntry[];
  }>;
}

export async function readContents(dynamo: Dynamo): Promise<Contents> {
  const contents: Contents = {
    shapeless: [],
    users: [],
    handles: new Map(),
    rooms: new Set(),
    seats: new Map(),
    counters: new Map(),
    members: [],
    memberships: [],
    lines: { rooms: [], people: [] },
    messages: [],
    totals: new Map(),
    stamps: [],
    guards: [],
    likes: [],
    likeCounts: new Map(),
    logs: [],
  };
  for await (const item of dynamo.scan({})) take(contents, item);
  return contents;
}

function take(contents: Contents, item: Item): void {
  const key = parseKey(item as Item & Key);
  if (typeof item.v !== 'number') contents.shapeless.push(`${item.pk} ${item.sk}`);
  switch (key.type) {
    case 'user':
      contents.users.push(userOf(key.user, item));
      break;
    case 'handle':
      if (item.expiresAt === undefined) contents.handles.set(key.handle, item.user as string);
      break;
    case 'room':
      contents.rooms.add(key.room);
      break;
    case 'seats':
      contents.seats.set(key.room, seatsOf(item));
      break;
    case 'counter':
      contents.counters.set(key.room, counterOf(item));
      break;
    case 'member':
      contents.members.push(memberOf(key.room, key.user, item));
      break;
    case 'membership':
      contents.memberships.push(membershipOf(key.user, key.room, item));
      break;
    case 'place':
      contents.lines.rooms.push(`${key.room} ${key.user} ${key.waitingSince}`);
      break;
    case 'waiting':
      contents.lines.people.push(`${key.room} ${key.user} ${item.w}`);
      break;
    case 'root':
    case 'reply': {
      const message = messageOf(key, item);
      contents.messages.push(message);
      contents.likeCounts.set(message, Number(item.likeCount ?? 0));
      if (typeof item.stampTotal === 'number') contents.totals.set(message, item.stampTotal);
      break;
    }
    case 'stamp':
      contents.stamps.push(toMessageStamp(key, item));
      break;
    case 'stampGuard':
      contents.guards.push({ ...key, stampedAt: item.s as string });
      break;
    case 'like': {
      const { gsi1pk, gsi1sk } = item;
      contents.likes.push({ ...likeOf(key, item), gsi1pk, gsi1sk });
      break;
    }
    case 'log':
      contents.logs.push({
        room: key.room,
        last: key.change,
        entries: (item.entries as StoredLogEntry[]).map(entryFrom),
      });
      break;
  }
}
