import { expect, it } from 'vitest';
import type { SavedChangedSubscription } from '../../../web/src/generated/graphql.ts';
import {
  createSavedMarks,
  type MarkedMessage,
  markOf,
  type SavedNews,
} from '../../../web/src/saved/marks.ts';

type Options = Parameters<typeof createSavedMarks>[0];
type Listening = Parameters<Options['connection']['subscribe']>[0];

const mark = (version: number, id = 'saved 1') => ({ id, version, remindAt: null });

/** The marks of a page that shows one message, and the server's side of it. */
function opened() {
  let listening: Listening | undefined;
  let shown: MarkedMessage = { id: 'message 1', viewerSaved: null };
  const asked: ((viewerSaved: MarkedMessage['viewerSaved']) => Promise<void>)[] = [];
  const api = {
    connection: {
      backoff: { wait: () => Promise.resolve() },
      subscribe(to: Listening) {
        listening = to;
        to.onOpening?.();
        return () => {};
      },
    },
    queryUncached: () =>
      new Promise((resolve) => {
        asked.push(async (viewerSaved) => {
          resolve({ nodes: [{ __typename: 'Message', id: shown.id, viewerSaved }] });
          for (let turn = 0; turn < 10; turn++) await Promise.resolve();
        });
      }),
  } as unknown as Options;
  const marks = createSavedMarks(api, () => [shown]);
  const heard: (SavedNews | undefined)[] = [];
  marks.onNews((news) => heard.push(news));
  const sends = (change: Partial<SavedChangedSubscription['savedChanged']>) =>
    listening?.next({
      savedChanged: { savedMessage: null, removedId: null, version: 0, ...change },
    } as never);
  return {
    marks,
    heard,
    asked,
    reopens: () => listening?.onOpening?.(),
    begins: () => sends({}),
    saves: (version: number) =>
      sends({ savedMessage: { ...mark(version), message: { id: 'message 1' } }, version }),
    removes: (version: number) => sends({ removedId: 'saved 1', version }),
    /** The room reads the message again. */
    reads(viewerSaved: MarkedMessage['viewerSaved']) {
      shown = { ...shown, viewerSaved };
    },
    version: () => markOf(marks.get(), shown)?.version,
  };
}

it('marks: the highest version wins, whichever of page, event and message has it', () => {
  const { marks, begins, saves, removes, reads, version, heard } = opened();
  begins();
  expect(heard).toEqual([]);
  marks.put('message 1', mark(1));
  expect(version()).toBe(1);
  // Another device.
  saves(3);
  saves(2);
  expect(version()).toBe(3);
  removes(4);
  expect(version()).toBeUndefined();
  // A copy of the message from before.
  reads(mark(3));
  expect(version()).toBeUndefined();
  saves(5);
  expect(version()).toBe(5);
  reads(mark(6));
  expect(version()).toBe(6);
  marks.remove(mark(6));
  expect(version()).toBeUndefined();
  // The event of a change before the removal.
  saves(7);
  expect(version()).toBeUndefined();
  saves(8);
  expect(version()).toBe(8);
  expect(heard.map((news) => news?.version)).toEqual([3, 2, 4, 5, 7, 8]);
});

it('marks: after a gap what is on the screen is read again, and an event is newer than the answer', async () => {
  const { asked, reopens, begins, saves, reads, version, heard } = opened();
  begins();
  expect(asked).toHaveLength(0);
  saves(3);
  reopens();
  begins();
  expect(heard.at(-1)).toBeUndefined();
  await asked[0]?.(null);
  expect(version()).toBeUndefined();

  reopens();
  begins();
  await asked[1]?.(mark(5));
  expect(version()).toBe(5);

  reopens();
  begins();
  // Saved again on another device while the answer is on its way.
  saves(7);
  await asked[2]?.(null);
  expect(version()).toBe(7);

  // A first subscription that ended before its first event.
  const late = opened();
  late.reopens();
  late.begins();
  expect(late.asked).toHaveLength(1);
  reads(null);
});
