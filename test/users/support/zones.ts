import { graphql } from '../../generated/gql.ts';

export const SetZone = graphql(`
  mutation SetZone($timeZone: String) {
    updateProfile(input: { timeZone: $timeZone }) { user { id timeZone } }
  }
`);

export const ZoneOf = graphql(`query ZoneOf($handle: String!) { user(handle: $handle) { timeZone } }`);
