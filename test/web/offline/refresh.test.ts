import { describe, expect, it } from 'vitest';
import { defined } from '../../../src/core/defined.ts';
import { ApiError } from '../../../web/src/api/errors.ts';
import { KeptCursorsDocument, KeptRoomDocument } from '../../../web/src/generated/graphql.ts';
import type { KeptRoom, KeptRooms } from '../../../web/src/offline/keptRooms.ts';
import { refresh } from '../../../web/src/offline/refresh.ts';

const keptRoom = (id: string, cursor?: string): KeptRoom => ({
  room: { id, name: id, people: null },
  at: 1,
  openedAt: 1,
  messages: [],
  ...defined({ cursor }),
});

/** Rooms of this browser and the server's cursors of them. `null`: the viewer is not in the room. */
function browser(before: readonly KeptRoom[], cursors: Readonly<Record<string, string | null>>) {
  const now = new Map(before.map((one) => [one.room.id, one]));
  const reads: string[] = [];
  const kept: KeptRooms = {
    rooms: async () => [...now.values()],
    async change(id, change) {
      const next = change(now.get(id));
      if (next === undefined) now.delete(id);
      else now.set(id, next);
    },
    keepOnly: () => Promise.reject(new Error('Not expected.')),
  };
  /** What happens before the answer. */
  let whileReading = async (_id: string): Promise<void> => {};
  let waits = 0;
  const api = {
    async queryUncached(document: unknown, { id, ids }: { id: string; ids: readonly string[] }) {
      if (document === KeptCursorsDocument) {
        return {
          nodes: ids.map((one) => ({ __typename: 'Room', id: one, eventsCursor: cursors[one] ?? null })),
        };
      }
      expect(document).toBe(KeptRoomDocument);
      reads.push(id);
      await whileReading(id);
      return {
        room: { id, name: `${id} now`, people: null, eventsCursor: cursors[id], messages: { edges: [] } },
      };
    },
    connection: {
      backoff: {
        wait: async () => {
          waits++;
        },
      },
    },
  } as unknown as Parameters<typeof refresh>[0];
  const over = new AbortController();
  return {
    kept,
    reads,
    over,
    waits: () => waits,
    whileReading(does: (id: string) => Promise<void>) {
      whileReading = does;
    },
    refresh: () => refresh(api, kept, over.signal),
    names: () => [...now.values()].map(({ room }) => room.name),
  };
}

describe('web, kept rooms are read again', () => {
  it('only if something has happened in them, and not if the viewer has left', async () => {
    const { refresh, reads, names } = browser(
      [keptRoom('same', 'c1'), keptRoom('changed', 'c1'), keptRoom('unknown'), keptRoom('left', 'c1')],
      { same: 'c1', changed: 'c2', unknown: 'c1', left: null },
    );
    await refresh();
    expect(reads).toEqual(['changed', 'unknown']);
    expect(names()).toEqual(['same', 'changed now', 'unknown now']);
  });

  it('and what the page has kept or deleted in the meantime stays so', async () => {
    const { refresh, whileReading, kept, names } = browser([keptRoom('open'), keptRoom('deleted')], {
      open: 'c1',
      deleted: 'c1',
    });
    whileReading((id) =>
      kept.change(id, (before) =>
        before === undefined || id === 'deleted' ? undefined : { ...before, at: 2 },
      ),
    );
    await refresh();
    expect(names()).toEqual(['open']);
  });

  it('also after a temporary failure', async () => {
    const { refresh, whileReading, reads, waits, names } = browser([keptRoom('one'), keptRoom('two')], {
      one: 'c1',
      two: 'c1',
    });
    whileReading(async () => {
      if (reads.length === 1) throw new ApiError('UNAVAILABLE');
    });
    await refresh();
    expect(reads).toEqual(['one', 'one', 'two']);
    expect(waits()).toBe(1);
    expect(names()).toEqual(['one now', 'two now']);
  });

  it('without those that the server fails to read', async () => {
    const { refresh, whileReading, reads, waits, names } = browser([keptRoom('one'), keptRoom('two')], {
      one: 'c1',
      two: 'c1',
    });
    whileReading(async (id) => {
      if (id === 'one') throw new ApiError('INTERNAL');
    });
    await refresh();
    expect(reads).toEqual(['one', 'two']);
    expect(waits()).toBe(0);
    expect(names()).toEqual(['one', 'two now']);
  });

  it('until the session ends', async () => {
    const { refresh, whileReading, over, reads, names } = browser([keptRoom('one'), keptRoom('two')], {
      one: 'c1',
      two: 'c1',
    });
    whileReading(async () => over.abort());
    await refresh();
    expect(reads).toEqual(['one']);
    expect(names()).toEqual(['one', 'two']);
  });
});
