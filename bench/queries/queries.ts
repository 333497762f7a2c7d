/** The queries that are measured. */
import { print } from 'graphql';
import { RoomPageDocument } from '../../web/src/generated/graphql.ts';
import type { Query } from '../queries.ts';

export const PAGE = 50;

const pageOf = (roomId: string): string =>
  JSON.stringify({ query: print(RoomPageDocument), variables: { id: roomId, last: PAGE } });

/** `roomIds`: equal rooms. */
export const queriesOf = (roomIds: readonly string[]): Query[] => [
  { name: '{ __typename }', bodies: [JSON.stringify({ query: '{ __typename }' })] },
  { name: '{ viewer { id } }', bodies: [JSON.stringify({ query: '{ viewer { id } }' })] },
  { name: `a page of ${PAGE} messages, of one room`, bodies: roomIds.slice(0, 1).map(pageOf) },
  { name: `a page of ${PAGE} messages, each of another room`, bodies: roomIds.map(pageOf) },
];
