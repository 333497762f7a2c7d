import { badUserInput } from '../../core/errors.ts';
import { mutation } from '../../graphql/mutation.ts';
import type { Deliveries } from '../deliveries.ts';
import type { Describe } from '../delivery.ts';
import { DeliveryChannelRef, DeliveryPages, DeliveryRef, deliveryEdge } from '../types.ts';
import type { Unsubscribing } from './email/unsubscribing.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly deliveries: Deliveries;
    readonly describeDelivery: Describe;
    readonly unsubscribing: Unsubscribing;
  }
}

mutation('testDelivery', {
  description:
    "Sends a test to all of the viewer's browsers (`WEB_PUSH`) or to their address (`EMAIL`). Returns at once, with a delivery that is `PENDING`; its `attempts` say how it ended. `BAD_USER_INPUT` for `WEBHOOK`, and if the viewer has nothing that it can be sent to.",
  limit: 'profiles',
  input: (t) => ({
    channel: t.field({
      type: DeliveryChannelRef,
      required: true,
      description: 'Either `WEB_PUSH` or `EMAIL`.',
    }),
  }),
  resolve: async (viewer, { channel }, { services }) => {
    if (channel === 'WEBHOOK') throw badUserInput('input.channel', 'A webhook cannot be tested by users.');
    return { delivery: await services.deliveries.test(viewer, channel) };
  },
  payload: (t) => ({
    delivery: t.expose('delivery', { type: DeliveryRef, description: 'The delivery of the test.' }),
    deliveryEdge: t.field({
      type: DeliveryPages.edge,
      description: 'The delivery of the test in `Viewer.deliveries`.',
      resolve: ({ delivery }) => deliveryEdge(delivery),
    }),
  }),
});
