/** The GraphQL face of what happens in a room. */
import { stampOf } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type CursorCodec, encodeCursor } from '../graphql/connections.ts';
import type { Context } from '../graphql/context.ts';
import { MessageRef } from '../messages/types.ts';
import type { Membership } from '../rooms/room.ts';
import { knownRoom, MembershipRef, type MembershipView, RoomRef } from '../rooms/types.ts';
import { knownUser, UserRef } from '../users/types.ts';
import type { Occurrence } from './occurrence.ts';

export const eventsCodec = (room: string): CursorCodec => ({ list: `events:${room}`, position: /^\d{16}$/ });
export const eventsCursor = (room: string, number: number): string =>
  encodeCursor(eventsCodec(room), stampOf(number));

type Of<T extends Occurrence['type']> = Occurrence & { readonly type: T };

export const RoomEventRef = builder.interfaceRef<Occurrence>('RoomEvent').implement({
  description: 'Something that happened in a room.',
  resolveType: ({ type }) => type,
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'Where.',
      resolve: ({ room }, _args, context: Context) =>
        context.services.openRooms.view(room) ?? knownRoom(room, context),
    }),
    cursor: t.string({
      description: 'Pass it to `roomEvents(after:)` to go on from here, at any time, on any server.',
      resolve: ({ room, cursor }) => eventsCursor(room, cursor),
    }),
  }),
});

const about = <T extends Occurrence['type']>(type: T, description: string) =>
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
    resolve: ({ user }, _args, { items }) => knownUser(user, items),
  }),
  membership: t.field({
    type: MembershipRef,
    nullable: true,
    description: 'As it is now; null: they are no longer in the room.',
    resolve: ({ member }): MembershipView | null =>
      member === null ? null : { ...member, own: null satisfies Membership | null },
  }),
}));

const typingChanged = about('TypingChanged', 'Other people type, or have stopped to.');
builder.objectField(typingChanged, 'users', (t) =>
  t.field({
    type: [UserRef],
    description: 'Everybody else who types at this moment, at most 20.',
    resolve: ({ users }, _args, { items }) => Promise.all(users.map((user) => knownUser(user, items))),
  }),
);
