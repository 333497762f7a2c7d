/** The GraphQL types of the events of a room. */
import { toTimestamp } from '../core/timestamps.ts';
import { keys } from '../dynamo/keys.ts';
import { builder } from '../graphql/builder.ts';
import { type CursorCodec, encodeCursor, POSITIONS } from '../graphql/connections.ts';
import { type Context, requireViewer } from '../graphql/context.ts';
import { MessageRef } from '../messages/types.ts';
import { type Member, membershipOf } from '../rooms/room.ts';
import {
  loadRoomOrThrow,
  MembershipRef,
  type MembershipView,
  ownMembershipView,
  RoomRef,
} from '../rooms/types.ts';
import { loadUserOrThrow, UserRef } from '../users/types.ts';
import { isKnownCause, MessageChangeCauseRef } from './causeTypes.ts';
import type { RoomEvent } from './roomLogReader.ts';
import { TYPERS_MAX } from './typing.ts';

export const eventsCodec = (room: string): CursorCodec => ({
  list: `events:${room}`,
  position: POSITIONS.timestamp,
});
export const eventsCursor = (room: string, number: number): string =>
  encodeCursor(eventsCodec(room), toTimestamp(number));

type Of<T extends RoomEvent['type']> = RoomEvent & { readonly type: T };

export const RoomEventRef = builder.interfaceRef<RoomEvent>('RoomEvent').implement({
  description: 'An event of a room.',
  resolveType: ({ type }) => type,
  fields: (t) => ({
    room: t.field({
      type: RoomRef,
      description: 'The room of the event.',
      resolve: ({ room }, _args, context: Context) =>
        context.services.roomCache.getRoom(room) ?? loadRoomOrThrow(room, context),
    }),
    cursor: t.string({
      description:
        'The position of the event: pass it to `roomEvents(after:)` to continue from here, at any time and on any server.',
      resolve: ({ room, cursor }) => eventsCursor(room, cursor),
    }),
  }),
});

const about = <T extends RoomEvent['type']>(type: T, description: string) =>
  builder.objectRef<Of<T>>(type).implement({ description, interfaces: [RoomEventRef] });

about('Synced', 'All missed events have been sent. The events that follow are live.');
about('RoomChanged', "The room's name, topic or capacity changed.");
about(
  'ResyncRequired',
  'More events were missed than are sent (at most 1000, of the last 30 days): read the room again. `Synced` follows.',
);

const added = about('MessageAdded', 'A root or a reply was sent.');
const changed = about(
  'MessageChanged',
  'A message was edited, deleted or replied to, or its reactions changed.',
);
for (const ref of [added, changed]) {
  builder.objectField(ref, 'message', (t) =>
    t.field({
      type: MessageRef,
      description: 'The current state of the message.',
      resolve: ({ message }) => message,
    }),
  );
}

builder.objectField(changed, 'cause', (t) =>
  t.field({
    type: MessageChangeCauseRef,
    nullable: true,
    description:
      'What happened, if it was one thing; null if several changes were combined, or if it is not known. A client that applies it to its own copy needs no `viewerHas…` field in its subscription; if it is null, read those fields again.',
    resolve: ({ cause }) => (isKnownCause(cause) ? cause : null),
  }),
);

const membershipChanged = about(
  'MembershipChanged',
  'A user joined or left the room, or their role changed.',
);
builder.objectFields(membershipChanged, (t) => ({
  user: t.field({
    type: UserRef,
    description: 'The user whose membership changed.',
    resolve: ({ user }, _args, { items }) => loadUserOrThrow(user, items),
  }),
  membership: t.field({
    type: MembershipRef,
    nullable: true,
    description: 'The current membership; null if the user is no longer in the room.',
    resolve: ({ member }, _args, context) => (member === null ? null : asSeenBy(member, context)),
  }),
}));

/** The viewer's own membership needs its private fields: clients cache one copy per id. */
async function asSeenBy(member: Member, context: Context): Promise<MembershipView | null> {
  const { room, user } = member;
  if (user !== requireViewer(context)) return { ...member, own: null };
  const item = await context.items.load(keys.membership(user, room));
  return item === undefined ? null : ownMembershipView(membershipOf(user, room, item));
}

const typingChanged = about('TypingChanged', 'Other members started or stopped typing.');
builder.objectField(typingChanged, 'users', (t) =>
  t.field({
    type: [UserRef],
    description: `The other members who are typing now: at most ${TYPERS_MAX}.`,
    resolve: ({ users }, _args, { items }) => Promise.all(users.map((user) => loadUserOrThrow(user, items))),
  }),
);
