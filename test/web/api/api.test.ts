import { createRequest } from '@urql/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import WebSocket from 'ws';
import { createApi } from '../../../web/src/api/api.ts';
import { RoomDocument } from '../../../web/src/generated/graphql.ts';
import { eventually } from '../../support/time/eventually.ts';

const tokens = { current: () => 'token', renewed: async () => undefined, onRenewed: () => () => {} };

describe('createApi', () => {
  beforeEach(() => {
    vi.stubGlobal('WebSocket', WebSocket);
    vi.stubGlobal('location', { origin: 'http://server.test' });
    vi.stubGlobal('addEventListener', () => {});
    vi.stubGlobal('removeEventListener', () => {});
  });
  afterEach(() => vi.unstubAllGlobals());

  it('query: waits for the server although the cache, which is asked meanwhile, does not have the answer', async () => {
    let respond: (response: Response) => void = () => expect.unreachable();
    const response = new Promise<Response>((resolve) => {
      respond = resolve;
    });
    vi.stubGlobal('fetch', () => response);
    const { client, query, close } = createApi(tokens);
    const request = createRequest(RoomDocument, { id: 'room' });
    const fromCache = client.createRequestOperation('query', request, { requestPolicy: 'cache-only' });
    const shown: unknown[] = [];
    const reading = client.executeRequestOperation(fromCache).subscribe(({ data }) => shown.push(data));
    const answer = query(RoomDocument, { id: 'room' });
    const before = shown.length;
    client.reexecuteOperation(fromCache);
    await eventually(() => expect(shown.length).toBeGreaterThan(before));
    expect(shown).not.toContainEqual({ room: null });
    respond(Response.json({ data: { room: null } }));
    expect(await answer).toEqual({ room: null });
    reading.unsubscribe();
    close();
  });
});
