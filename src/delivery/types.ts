/** The GraphQL types of deliveries. */
import { DELIVERY_KINDS, type DeliveryKind } from '../core/deliveryKinds.ts';
import { builder } from '../graphql/builder.ts';
import type { DeliveryChannel } from './delivery.ts';

const KINDS: Readonly<Record<DeliveryKind, string>> = {
  MENTION: 'A user mentioned the viewer.',
  REPLY: 'A user replied in a thread that the viewer follows.',
  LIKE: 'A user likes a message of the viewer.',
  STAMP: 'A user put a stamp on a message of the viewer.',
  SEAT: 'The viewer got the seat that they waited for.',
  INVITED: 'A user added the viewer to a room.',
};

export const DeliveryKindRef = builder.enumType('DeliveryKind', {
  description: 'What is delivered outside the page.',
  values: Object.fromEntries(DELIVERY_KINDS.map((kind) => [kind, { description: KINDS[kind] }])) as Record<
    DeliveryKind,
    { description: string }
  >,
});

export const DeliveryChannelRef = builder.enumType('DeliveryChannel', {
  description: 'How a delivery leaves the page.',
  values: {
    WEB_PUSH: { description: "A notification of the viewer's browsers." },
    WEBHOOK: { description: "A request to the operator's own systems." },
    EMAIL: { description: 'A digest by e-mail.' },
  } as const satisfies Record<DeliveryChannel, object>,
});
