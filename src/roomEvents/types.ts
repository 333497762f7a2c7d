/** The GraphQL face of what happens in a room. */
import { toTimestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type CursorCodec, encodeCursor } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { MessageRef } from '../messages/types.ts';
import { type Member, membershipOf } from '../rooms/room.ts';
import { loadRoomOrThrow, MembershipRef, type MembershipView, ownView, RoomRef } from '../rooms/types.ts';
import { loadUserOrThrow, UserRef } from '../users/types.ts';
import type { RoomEvent } from './roomLogReader.ts';

export const eventsCodec = (room: string): CursorCodec => ({ list: `events:${room}`, position: /^\d{16}$/ });
export const eventsCursor = (room: string, number: number): string =>
  encodeCursor(eventsCodec(room), toTimestamp(number));

type Of<T extends RoomEvent['type']> = RoomEvent & { readonly type: T };

export const RoomEventRef = builder.interfaceRef<RoomEvent>('RoomEvent').implement({
  description: 'Something that happened in a room.',
  resolveType: ({ type }) => type,
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'Where.',
      resolve: ({ room }, _args, context: Context) =>
        context.services.roomCache.view(room) ?? loadRoomOrThrow(room, context),
    }),
    cursor: t.string({
      description: 'Pass it to `roomEvents(after:)` to go on from here, at any time, on any server.',
      resolve: ({ room, cursor }) => eventsCursor(room, cursor),
    }),
  }),
});

const about = <T extends RoomEvent['type']>(type: T, description: string) =>
  builder.objectRef<Of<T>>(type).implement({ description, interfaces: [RoomEventRef] });

about('Synced', 'Everything that was missed has been told: live from here on.');
about('RoomChanged', 'Name, topic or capacity are other ones.');
about('ResyncRequired', 'Too much was missed to be told: read the room again. Synced follows.');

const added = about('MessageAdded', 'A new thread root or reply.');
const changed = about('MessageChanged', 'A message was edited, deleted, liked, stamped or replied to.');
for (const ref of [added, changed]) {
  builder.objectField(ref, 'message', (t) =>
    t.field({ type: MessageRef, description: 'As it is now.', resolve: ({ message }) => message }),
  );
}

const membershipChanged = about('MembershipChanged', 'Somebody came, left, or has another role.');
builder.objectFields(membershipChanged, (t) => ({
  user: t.field({
    type: UserRef,
    description: 'Who.',
    resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
  }),
  membership: t.field({
    type: MembershipRef,
    nullable: true,
    description: 'As it is now; null: they are no longer in the room.',
    resolve: ({ member }, _args, context) => (member === null ? null : asSeenBy(member, context)),
  }),
}));

/** The reader's own with what only they may see of it: clients keep one copy, by its id. */
async function asSeenBy(member: Member, context: Context): Promise<MembershipView | null> {
  const { room, user } = member;
  if (user !== requireViewer(context)) return { ...member, own: null };
  const item = await context.items.load(keys.membership(user, room));
  return item === undefined ? null : ownView(membershipOf(user, room, item));
}

const typingChanged = about('TypingChanged', 'Other people type, or have stopped to.');
builder.objectField(typingChanged, 'users', (t) =>
  t.field({
    type: [UserRef],
    description: 'Everybody else who types at this moment, at most 20.',
    resolve: ({ users }, _args, { items }) => Promise.all(users.map((user) => loadUserOrThrow(user, items))),
  }),
);
