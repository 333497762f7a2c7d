import { beforeEach, expect, it } from 'vitest';
import { createStore } from '../../../web/src/state/store.ts';
import { closedRoom } from '../../../web/src/timeline/roomState.ts';
import { createUnreadLine } from '../../../web/src/timeline/unreadLine.ts';

const refusal = new Error('refused');

/** The room's line is above its first unread message, `opened`, before anything is moved. */
let room: ReturnType<typeof createStore<typeof closedRoom>>;
let unread: ReturnType<typeof createUnreadLine>;
let moves: { resolve(): void; reject(error: Error): void }[];
let moved: Promise<unknown>[];
const line = () => room.get().firstUnread;

function move(rootId: string): void {
  const save = () => new Promise<void>((resolve, reject) => moves.push({ resolve, reject }));
  moved.push(unread.moveUnreadLine(rootId, save).catch((error: unknown) => error));
}

beforeEach(() => {
  room = createStore({ ...closedRoom, firstUnread: 'opened' });
  unread = createUnreadLine(room);
  moves = [];
  moved = [];
});

it('unread line: moves at once, and back if the server refuses it', async () => {
  move('a');
  expect(line()).toBe('a');
  moves[0]?.reject(refusal);
  expect(await moved[0]).toBe(refusal);
  expect(line()).toBe('opened');
});

it('unread line: is above the last root that was saved, after several moves', async () => {
  for (const [isFirstSaved, expected] of [
    [false, 'opened'],
    [true, 'a'],
  ] as const) {
    move('a');
    move('b');
    const [first, second] = moves.splice(0);
    const [firstMoved, secondMoved] = moved.splice(0);
    if (isFirstSaved) first?.resolve();
    else first?.reject(refusal);
    await firstMoved;
    expect(line()).toBe('b');
    second?.reject(refusal);
    await secondMoved;
    expect(line()).toBe(expected);
  }
});

it('unread line: is not moved back if it has moved again for another reason', async () => {
  move('a');
  room.update((now) => ({ ...now, firstUnread: undefined }));
  moves[0]?.reject(refusal);
  await moved[0];
  expect(line()).toBeUndefined();
});
