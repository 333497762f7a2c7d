import { graphql } from '../../generated/gql.ts';

export const EmailSettings = graphql(`
  query EmailSettings {
    viewer { deliverySettings { emailDigest email emailRefusedAt sendsEmail } }
  }
`);
export const ChooseDigest = graphql(`
  mutation ChooseDigest($emailDigest: EmailDigest, $hideText: Boolean) {
    updateDeliverySettings(input: { emailDigest: $emailDigest, hideText: $hideText }) {
      settings { emailDigest email }
    }
  }
`);
export const Attempts = graphql(`
  query EmailAttempts {
    viewer { deliveries(first: 5) { edges { node { kinds outcome attempts { channel outcome } } } } }
  }
`);
