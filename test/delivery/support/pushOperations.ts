import { graphql } from '../../generated/gql.ts';

export const RegisterPush = graphql(`
  mutation RegisterPush($input: RegisterPushSubscriptionInput!) {
    registerPushSubscription(input: $input) { pushSubscription { id label createdAt lastUsedAt } }
  }
`);
export const RemovePush = graphql(`
  mutation RemovePush($id: ID!) {
    removePushSubscription(input: { pushSubscriptionId: $id }) { deletedPushSubscriptionId }
  }
`);
export const TestDelivery = graphql(`
  mutation TestDelivery($channel: DeliveryChannel!) {
    testDelivery(input: { channel: $channel }) { delivery { id kinds outcome attempts { channel } } }
  }
`);
export const PushSubscriptions = graphql(`
  query PushSubscriptions { viewer { pushSubscriptions { id } } }
`);
export const Deliveries = graphql(`
  query Deliveries { viewer { deliveries(first: 10) { edges { node { id outcome } } } } }
`);
