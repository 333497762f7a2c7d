import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import type { Item } from '../../../src/dynamo/item.ts';
import { type Key, parseKey } from '../../../src/dynamo/keys.ts';
import { type Message, messageOf } from '../../../src/messages/message.ts';
import { type MessageStamp, toMessageStamp } from '../../../src/reactions/stamps/stamp.ts';
import { type Reaction, reactionOf } from '../../../src/reactions/toggles/reaction.ts';
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

/** All items of a table, by type. */
export interface Contents {
  /** Keys of the items without a schema version. */
  readonly withoutVersion: string[];
  readonly users: User[];
  /** The owner of each handle, without released handles. */
  readonly handles: Map<string, string>;
  readonly rooms: Set<string>;
  readonly seats: Map<string, Seats>;
  readonly counters: Map<string, Counter>;
  readonly members: Member[];
  readonly memberships: Membership[];
  /** The waitlist entries, which are stored under the room and under the user. */
  readonly waitlists: { readonly ofRooms: string[]; readonly ofUsers: string[] };
  readonly messages: Message[];
  /** `stampTotal` of the messages that have one, by sort key. */
  readonly totals: Map<Message, number>;
  readonly stamps: MessageStamp[];
  readonly guards: MessageStamp[];
  /** Likes with their keys in the index. */
  readonly likes: Array<Reaction & { readonly gsi1pk: unknown; readonly gsi1sk: unknown }>;
  /** `likeCount` of every message. A deleted message's is the number of likes that are not cleared yet. */
  readonly likeCounts: Map<Message, number>;
  readonly logs: Array<{
    readonly room: string;
    readonly last: number;
    readonly entries: readonly LogEntry[];
  }>;
}

export async function readContents(dynamo: Dynamo): Promise<Contents> {
  const contents: Contents = {
    withoutVersion: [],
    users: [],
    handles: new Map(),
    rooms: new Set(),
    seats: new Map(),
    counters: new Map(),
    members: [],
    memberships: [],
    waitlists: { ofRooms: [], ofUsers: [] },
    messages: [],
    totals: new Map(),
    stamps: [],
    guards: [],
    likes: [],
    likeCounts: new Map(),
    logs: [],
  };
  for await (const item of dynamo.scan({})) add(contents, item);
  return contents;
}

function add(contents: Contents, item: Item): void {
  const key = parseKey(item as Item & Key);
  if (typeof item.v !== 'number') contents.withoutVersion.push(`${item.pk} ${item.sk}`);
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
    case 'waitlistEntry':
      contents.waitlists.ofRooms.push(`${key.room} ${key.user} ${key.waitingSince}`);
      break;
    case 'waiting':
      contents.waitlists.ofUsers.push(`${key.room} ${key.user} ${item.w}`);
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
      contents.likes.push({ ...reactionOf(key, item), gsi1pk, gsi1sk });
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
