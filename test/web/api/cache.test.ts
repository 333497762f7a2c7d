import { Client, fetchExchange } from '@urql/core';
import { describe, expect, it } from 'vitest';
import { createCache, UNCACHED } from '../../../web/src/api/cache.ts';
import { RoomPageDocument } from '../../../web/src/generated/graphql.ts';

const page = { id: 'room', first: 1 };
const room = { __typename: 'Room', id: 'room', messages: { __typename: 'MessageConnection', edges: [] } };
const pageInfo = { __typename: 'PageInfo', hasNextPage: false, hasPreviousPage: false };

function clientWithCache() {
  let requests = 0;
  const client = new Client({
    url: 'http://server.test/graphql',
    preferGetMethod: false,
    exchanges: [createCache(), fetchExchange],
    fetch: async () => {
      requests++;
      return Response.json({ data: { room: { ...room, messages: { ...room.messages, pageInfo } } } });
    },
  });
  const fromCache = async () =>
    (await client.query(RoomPageDocument, page, { requestPolicy: 'cache-only' })).data;
  return { client, fromCache, requests: () => requests };
}

describe('createCache', () => {
  it('stores the answer to a cached query', async () => {
    const { client, fromCache, requests } = clientWithCache();
    await client.query(RoomPageDocument, page, { requestPolicy: 'network-only' });
    expect(await fromCache()).toMatchObject({ room: { id: 'room' } });
    expect(requests()).toBe(1);
  });

  it('stores no answer to an uncached request, and answers none from the cache', async () => {
    const { client, fromCache, requests } = clientWithCache();
    for (let request = 1; request <= 2; request++) {
      const { data } = await client.query(RoomPageDocument, page, UNCACHED);
      expect(data).toMatchObject({ room: { id: 'room' } });
      expect(requests()).toBe(request);
    }
    expect(await fromCache()).toBeNull();
  });
});
