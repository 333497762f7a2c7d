/** The GraphQL types of deliveries. */
import { DELIVERY_KINDS, type DeliveryKind } from '../core/deliveryKinds.ts';
import { isTimestamp } from '../core/timestamps.ts';
import { builder } from '../graphql/builder.ts';
import { type Edge, forwardArgs, POSITIONS, pagedList, pageTypes } from '../graphql/connections.ts';
import { requireViewer } from '../graphql/context.ts';
import { nodeLoader } from '../graphql/nodes.ts';
import { bestLanguage } from '../i18n/language.ts';
import { accessTo } from '../rooms/access.ts';
import { RoomRef } from '../rooms/types.ts';
import { loadOwnProfile, ViewerRef } from '../users/types.ts';
import {
  ABOUT_MAX,
  ATTEMPTS_MAX,
  type Delivery,
  type DeliveryAttempt,
  type DeliveryChannel,
  type DeliveryOutcome,
} from './delivery.ts';

const KINDS: Readonly<Record<DeliveryKind, string>> = {
  MENTION: 'A user mentioned the viewer.',
  REPLY:
    'A user replied in a thread that the viewer follows. A reply that mentions the viewer is a MENTION only, also if that kind is off.',
  LIKE: 'A user likes a message of the viewer.',
  STAMP: 'A user put a stamp on a message of the viewer.',
  DIRECT_MESSAGE: 'A user wrote in a direct room of the viewer.',
  MESSAGE: 'A user wrote in a room of which the viewer chose to get all messages (`setRoomDelivery`).',
  JOIN: 'A user entered a room of which the viewer is an owner or a moderator. It is off by default.',
  SEAT: 'The viewer got the seat that they waited for.',
  INVITED: 'A user added the viewer to a room.',
  REMINDER:
    'The viewer wanted to be reminded of a message. It passes quiet hours, and is sent in muted rooms too.',
};

export const DeliveryKindRef = builder.enumType('DeliveryKind', {
  description: 'What is delivered outside the page.',
  values: Object.fromEntries(DELIVERY_KINDS.map((kind) => [kind, { description: KINDS[kind] }])) as Record<
    DeliveryKind,
    { description: string }
  >,
});

export const DeliveryChannelRef = builder.enumType('DeliveryChannel', {
  description: 'A way in which something is delivered.',
  values: {
    WEB_PUSH: { description: "A notification of the viewer's browsers." },
    WEBHOOK: { description: "A request to the operator's own systems." },
    EMAIL: { description: 'A digest by e-mail.' },
  } as const satisfies Record<DeliveryChannel, object>,
});

const DeliveryOutcomeRef = builder.enumType('DeliveryOutcome', {
  description: 'Why something was or was not sent.',
  values: {
    PENDING: { description: 'It will be sent. At least one send has not ended.' },
    SENT: { description: 'At least one receiver accepted it.' },
    READ_BEFORE: { description: 'The viewer had read it.' },
    MUTED: { description: 'The viewer has muted the room.' },
    SWITCHED_OFF: {
      description: 'The viewer or the operator switched this off, or the browser has ended its subscription.',
    },
    QUIET_HOURS: {
      description: 'Quiet hours held back further attempts until the time to send it was over.',
    },
    PAUSED: { description: 'A pause held back further attempts until the time to send it was over.' },
    NOT_ENTITLED: { description: 'The viewer may not see it any more.' },
    NOTHING_LEFT: { description: 'Everything that it was about has been read, deleted or undone.' },
    STALE: { description: 'It was too old.' },
    FAILED: { description: 'No receiver accepted it for a day, or one refused it.' },
  } as const satisfies Record<DeliveryOutcome, object>,
});

const DeliveryAttemptRef = builder.objectRef<DeliveryAttempt>('DeliveryAttempt').implement({
  description: 'How sending to one browser or address ended.',
  fields: (t) => ({
    channel: t.expose('channel', { type: DeliveryChannelRef, description: 'How it was sent.' }),
    outcome: t.expose('outcome', { type: DeliveryOutcomeRef, description: 'How it ended.' }),
    at: t.field({
      type: 'DateTime',
      description: 'When it ended.',
      resolve: ({ at }) => new Date(at),
    }),
  }),
});

export const DeliveryRef = builder.objectRef<Delivery>('Delivery');

builder.node(DeliveryRef, {
  description:
    'What was sent to the viewer outside the page, or why it was not. It is kept for three days. Only they see it.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    kinds: t.expose('kinds', {
      type: [DeliveryKindRef],
      description: 'What it is about. Several if it is a summary, none if it is a test.',
      extensions: { maxItems: DELIVERY_KINDS.length },
    }),
    rooms: t.field({
      type: [RoomRef],
      description: `The rooms that it is about, without those that the viewer may not see any more: at most ${ABOUT_MAX}.`,
      extensions: { maxItems: ABOUT_MAX },
      resolve: async ({ rooms }, _args, context) => {
        const viewer = requireViewer(context);
        const found = await Promise.all(rooms.map((room) => accessTo(room, viewer, context.items)));
        return found.flatMap((access) => access?.room ?? []);
      },
    }),
    text: t.string({
      nullable: true,
      description:
        'What is sent, worded now and in the language of the viewer; null if the viewer may not see what it was about, or if nothing of it is left.',
      resolve: async (delivery, _args, { viewer, items, services, acceptLanguage }) => {
        const user = await loadOwnProfile(viewer ?? '', items);
        const language = bestLanguage(user.locale, acceptLanguage);
        const { words } = await services.describeDelivery(delivery, { language });
        return words?.text ?? null;
      },
    }),
    outcome: t.expose('outcome', {
      type: DeliveryOutcomeRef,
      description: 'Why it was or was not sent.',
    }),
    attempts: t.expose('attempts', {
      type: [DeliveryAttemptRef],
      description: `How sending it ended, for each browser or address: at most ${ATTEMPTS_MAX}. Empty while all are being tried.`,
      extensions: { maxItems: ATTEMPTS_MAX },
    }),
    dueAt: t.field({
      type: 'DateTime',
      description: 'When it was to be decided.',
      resolve: ({ dueAt }) => new Date(dueAt),
    }),
    decidedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When it was decided. Not null in this version.',
      resolve: ({ decidedAt }) => new Date(decidedAt),
    }),
  }),
});

nodeLoader('Delivery', (id, context) =>
  isTimestamp(id) ? context.services.deliveries.get(requireViewer(context), id) : null,
);

export const DeliveryPages = pageTypes(DeliveryRef, 'Delivery', {
  edge: 'A delivery in a page, with its cursor.',
  page: 'A page of deliveries.',
});
const ownDeliveries = pagedList({
  cursors: (user: string) => ({ list: `deliveries:${user}`, position: POSITIONS.timestamp }),
  position: ({ id }: Delivery) => id,
});

export const deliveryEdge = (delivery: Delivery): Edge<Delivery> =>
  ownDeliveries.edge(delivery.user, delivery);

builder.objectField(ViewerRef, 'deliveries', (t) =>
  t.field({
    type: DeliveryPages.connection,
    description:
      'What was sent to the viewer outside the page in the last three days, or why it was not, newest first.',
    args: forwardArgs,
    resolve: ({ id }, args, { services }) =>
      ownDeliveries.page(id, args, (request) => services.deliveries.list(id, request)),
  }),
);
