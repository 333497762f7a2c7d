import { expect, it } from 'vitest';
import type { ListedMessageFragment, ListedSavedFragment } from '../../../web/src/generated/graphql.ts';
import { type ListName, wholeList } from '../../../web/src/saved/listed.ts';
import { createSavedList } from '../../../web/src/saved/lists.ts';
import { KEPT } from '../../../web/src/saved/unloading.ts';
import { eventually } from '../../support/time/eventually.ts';

const ROWS = 3_000;
/** The rows near a screen of ten, and a page more, because rows are unloaded page by page. */
const MOST = 2 * KEPT + 10 + 100;

const messageOf = (id: string) => ({ id: `m${id}`, body: `Text ${id}` }) as unknown as ListedMessageFragment;
const savedOf = (id: string, version = 1) =>
  ({
    id,
    version,
    visibility: 'PRIVATE',
    note: null,
    tags: [],
    remindAt: null,
    savedAt: new Date(Date.UTC(2026, 0, 1) - Number(id) * 1_000).toISOString(),
    message: messageOf(id),
  }) as unknown as ListedSavedFragment;
const likedOf = (id: string) => ({ __typename: 'Message', ...messageOf(id), viewerSaved: null });

/** A list of ROWS rows, and what the server is asked for by id. `gone`: what it does not find. */
function opened(name: ListName, gone: readonly string[] = []) {
  const asked: string[] = [];
  const api = {
    connection: { backoff: { wait: () => Promise.resolve() } },
    async queryUncached(_: unknown, { after, ids }: { after?: string | null; ids?: readonly string[] }) {
      if (ids !== undefined) {
        asked.push(...ids);
        const found = ids.filter((id) => !gone.includes(id));
        const nodeOf = (id: string) =>
          name === 'liked' ? likedOf(id.slice(1)) : { __typename: 'SavedMessage', ...savedOf(id) };
        return { nodes: found.map(nodeOf) };
      }
      const start = Number(after ?? 0);
      const edges = Array.from({ length: 100 }, (_unused, i) => String(start + i)).map((id) => ({
        node: name === 'liked' ? likedOf(id) : savedOf(id),
      }));
      const pageInfo = { hasNextPage: start + 100 < ROWS, endCursor: String(start + 100) };
      return { viewer: { savedMessages: { edges, pageInfo }, likedMessages: { edges, pageInfo } } };
    },
  } as unknown as Parameters<typeof createSavedList>[0];
  const list = createSavedList(api, wholeList(name));
  const held = () => [...list.get().rows].filter((row) => JSON.stringify(row).includes('Text')).length;
  return { list, asked, held };
}

it.each<ListName>(['all', 'liked', { tag: 'red' }])(
  '%j: messages far from the screen are unloaded',
  async (name) => {
    const { list, asked, held } = opened(name);
    let most = 0;
    while (list.get().hasMore) {
      await list.more();
      const { length } = list.get().rows;
      for (let first = length - 100; first < length; first += 10) {
        list.shows({ first, last: first + 9 });
        most = Math.max(most, held());
      }
    }
    expect(list.get().rows).toHaveLength(ROWS);
    expect(most).toBeLessThanOrEqual(MOST);
    expect(asked).toEqual([]);
    // Back at the start: those near the screen are read again, and those at the end are unloaded.
    list.shows({ first: 0, last: 9 });
    await eventually(() =>
      expect(
        list
          .get()
          .rows.slice(0, 160)
          .every(({ isUnloaded }) => !isUnloaded),
      ).toBe(true),
    );
    expect(list.get().rows.at(0)?.message?.body).toBe('Text 0');
    expect(list.get().rows.at(ROWS - 1)).toMatchObject({
      message: null,
      isUnloaded: true,
      messageId: `m${ROWS - 1}`,
    });
    expect(new Set(asked).size).toBe(asked.length);
    expect(held()).toBeLessThanOrEqual(MOST);
    list.close();
  },
);

it('what changed while it was unloaded is shown, and what is gone has no message', async () => {
  const { list } = opened('all', ['1']);
  while (list.get().hasMore) await list.more();
  list.shows({ first: ROWS - 10, last: ROWS - 1 });
  expect(
    list
      .get()
      .rows.slice(0, 3)
      .map(({ isUnloaded }) => isUnloaded),
  ).toEqual([true, true, true]);
  list.change('2', { ...savedOf('2', 2), note: 'Changed' });
  list.shows({ first: 0, last: 9 });
  await eventually(() => expect(list.get().rows.at(0)?.isUnloaded).toBe(false));
  expect(list.get().rows.at(0)?.message?.body).toBe('Text 0');
  expect(list.get().rows.at(1)).toMatchObject({ isUnloaded: false, message: null });
  expect(list.get().rows.at(2)).toMatchObject({
    message: { body: 'Text 2' },
    saved: { note: 'Changed', version: 2 },
  });
  list.close();
});
