/** The rules of rooms as a plain model, independent of the product. Users are numbers. */

export interface ModelMessage {
  readonly id: string;
  /** Null on a root. */
  readonly root: ModelMessage | null;
  readonly author: number;
  body: string;
  mentions: readonly number[];
  edited: boolean;
  deleted: boolean;
  replies: number;
  /** Users who like it. */
  readonly likes: Set<number>;
  stamps: Array<{ readonly id: string; readonly person: number; readonly key: string }>;
}

/** A user and a room. */
export interface Place {
  readonly person: number;
  readonly room: number;
}

export type Role = 'OWNER' | 'MODERATOR' | 'MEMBER';

export interface ModelMember {
  role: Role;
  /** The number of roots, from the first, that the user has read. */
  read: number;
  muted: boolean;
}

export interface ModelRoom {
  name: string;
  /** Roots and replies, as they were sent. */
  readonly messages: ModelMessage[];
  /** In the order of their positions. */
  readonly roots: ModelMessage[];
  /** How many roots had a position when the stream was last held back. */
  positioned: number;
  readonly members: Map<number, ModelMember>;
}

export interface Model {
  readonly rooms: readonly ModelRoom[];
  /** The stream is held back. */
  paused: boolean;
  restarts: number;
}

/** The number of members at first. The first user created all rooms and is alone in all of them but one. */
export const initialMembers = (room: number): number => (room === 0 ? 3 : 1);

export const newModel = (rooms: number): Model => ({
  rooms: Array.from({ length: rooms }, (_, room) => ({
    name: 'Room',
    messages: [],
    roots: [],
    positioned: 0,
    members: new Map(
      Array.from({ length: initialMembers(room) }, (_, person) => [
        person,
        { role: person === 0 ? 'OWNER' : 'MEMBER', read: 0, muted: false },
      ]),
    ),
  })),
  paused: false,
  restarts: 0,
});

export const rootOf = (message: ModelMessage): ModelMessage => message.root ?? message;

/** The position of the root, or of the reply's root. */
export const positionOf = (room: Pick<ModelRoom, 'roots'>, message: ModelMessage): number =>
  room.roots.indexOf(rootOf(message)) + 1;

export function addMessage(
  room: ModelRoom,
  message: Pick<ModelMessage, 'id' | 'root' | 'author' | 'body' | 'mentions'>,
) {
  const whole = {
    ...message,
    edited: false,
    deleted: false,
    replies: 0,
    stamps: [],
    likes: new Set<number>(),
  };
  room.messages.push(whole);
  if (message.root === null) {
    room.roots.push(whole);
    const author = room.members.get(message.author);
    if (author !== undefined) author.read = room.roots.length;
  } else {
    message.root.replies++;
  }
}

export const ownersOf = (room: ModelRoom): number =>
  [...room.members.values()].filter(({ role }) => role === 'OWNER').length;

/** The number of unread roots once every root has its position. */
export const unreadIn = (room: ModelRoom, person: number): number =>
  room.roots.length - (room.members.get(person)?.read ?? room.roots.length);

/** A message as a user must see it, without times and versions, which the model does not have. */
export const seenBy = (
  room: Pick<ModelRoom, 'roots'>,
  message: ModelMessage,
  { person, handles }: Viewer,
) => ({
  id: message.id,
  body: message.deleted ? null : message.body,
  author: handles[message.author],
  root: message.root?.id ?? null,
  position: message.root === null ? positionOf(room, message) : null,
  edited: message.edited,
  deleted: message.deleted,
  replyCount: message.replies,
  mentions: message.deleted ? [] : message.mentions.map((one) => handles[one]),
  likeCount: message.likes.size,
  liked: message.likes.has(person),
  stamps: message.deleted ? [] : countsOf(message, person),
});

export interface Viewer {
  readonly person: number;
  readonly handles: readonly string[];
}

/** The counts of the stamps, ordered by key. */
function countsOf({ stamps }: ModelMessage, person: number) {
  const kinds = [...new Set(stamps.map(({ key }) => key))].sort();
  return kinds.map((key) => {
    const ofKey = stamps.filter((stamp) => stamp.key === key);
    return { key, count: ofKey.length, own: ofKey.some((stamp) => stamp.person === person) };
  });
}
