/** The queries that are measured. */
import { print } from 'graphql';
import { RoomPageDocument } from '../../web/src/generated/graphql.ts';
import type { Query } from '../queries.ts';

export const PAGE = 50;

export const queriesOf = (roomId: string): Query[] => [
  { name: '{ __typename }', body: JSON.stringify({ query: '{ __typename }' }) },
  { name: '{ viewer { id } }', body: JSON.stringify({ query: '{ viewer { id } }' }) },
  {
    name: `a page of ${PAGE} messages`,
    body: JSON.stringify({ query: print(RoomPageDocument), variables: { id: roomId, last: PAGE } }),
  },
];
