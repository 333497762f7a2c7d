/** The GraphQL type of push subscriptions. */
import { isId } from '../../../dynamo/keys.ts';
import { builder } from '../../../graphql/builder.ts';
import { requireViewer } from '../../../graphql/context.ts';
import { nodeLoader } from '../../../graphql/nodes.ts';
import { ViewerRef } from '../../../users/types.ts';
import { type PushSubscription, SUBSCRIPTIONS_MAX } from './pushSubscription.ts';

export const PushSubscriptionRef = builder.objectRef<PushSubscription>('PushSubscription');

builder.node(PushSubscriptionRef, {
  description: 'A browser that shows deliveries to the viewer. Only they see it.',
  id: { resolve: ({ id }) => id },
  fields: (t) => ({
    label: t.exposeString('label', { description: 'The name of the device, as it was registered.' }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'When the browser was registered for the first time.',
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
    lastUsedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When something was last sent to it, to the day; null if nothing was.',
      resolve: ({ lastUsedAt }) => (lastUsedAt === undefined ? null : new Date(lastUsedAt)),
    }),
  }),
});

nodeLoader('PushSubscription', async (id, context) => {
  if (!isId(id)) return null;
  const { all } = await context.services.pushSubscriptions.read(requireViewer(context));
  return all.find((one) => one.id === id) ?? null;
});

builder.objectField(ViewerRef, 'pushSubscriptions', (t) =>
  t.field({
    type: [PushSubscriptionRef],
    description: `The browsers that show deliveries to the viewer, the oldest first: at most ${SUBSCRIPTIONS_MAX}.`,
    extensions: { maxItems: SUBSCRIPTIONS_MAX },
    resolve: async ({ id }, _args, { services }) => [...(await services.pushSubscriptions.read(id)).all],
  }),
);
