import { describe, expect, it } from 'vitest';
import type { Api } from '../../../web/src/api/api.ts';
import { createRooms } from '../../../web/src/rooms/rooms.ts';
import { held } from '../../support/time/held.ts';

const BOAT = { id: 'Boat', name: 'Boat' };

describe('rooms', () => {
  it('refreshWaitlists: a place that the viewer left while it was read does not come back', async () => {
    const first = held();
    const answers = [[BOAT], []];
    const rooms = createRooms({
      connection: { backoff: { wait: () => Promise.resolve() } },
      client: {},
      query: async () => {
        const nodes = answers.shift() ?? [];
        if (nodes.length > 0) await first.promise;
        return { viewer: { waitlists: { edges: nodes.map((node) => ({ node })) } } };
      },
    } as unknown as Api);
    rooms.setWaiting(BOAT, true);
    const reading = rooms.refreshWaitlists();
    rooms.setWaiting(BOAT, false);
    const again = rooms.refreshWaitlists();
    first.letGo();
    await Promise.all([reading, again]);
    expect(answers).toEqual([]);
    expect(rooms.awaitedName(BOAT.id)).toBeUndefined();
  });

  it('refreshWaitlists: reads a room again once if the viewer lost the place in it elsewhere', async () => {
    const canoe = { id: 'Canoe', name: 'Canoe' };
    const answers = [[BOAT, canoe], [canoe], [], []];
    const read: unknown[] = [];
    const rooms = createRooms({
      connection: { backoff: { wait: () => Promise.resolve() } },
      client: {},
      query: async (_: unknown, { id }: { readonly id?: string }) => {
        if (id !== undefined) return read.push(id);
        return { viewer: { waitlists: { edges: (answers.shift() ?? []).map((node) => ({ node })) } } };
      },
    } as unknown as Api);
    await rooms.refreshWaitlists();
    expect(read).toEqual([]);
    await rooms.refreshWaitlists();
    expect(read).toEqual(['Boat']);
    rooms.setWaiting(canoe, false);
    await rooms.refreshWaitlists();
    await rooms.refreshWaitlists();
    expect(read).toEqual(['Boat']);
  });
});
