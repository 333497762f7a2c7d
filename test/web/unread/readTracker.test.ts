import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../web/src/api/errors.ts';
import { MarkRoomReadDocument, MarkRoomUnreadDocument } from '../../../web/src/generated/graphql.ts';
import type { Message } from '../../../web/src/timeline/message.ts';
import { createReadTracker } from '../../../web/src/unread/readTracker.ts';

const root = (position: number, author = 'ben') =>
  ({ id: `root ${position}`, position, root: null, author: { id: author } }) as unknown as Message;

const roots = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => root(from + at));

/** A read tracker for aki, and the positions it has sent to the server, in order. */
function opened(firstUnread: number, newest: number) {
  const told: (string | undefined)[] = [];
  let refuses = false;
  let slowedForMs = 0;
  const api = {
    async mutateUncached(document: unknown, { input }: { input: { upTo?: string } }) {
      if (document === MarkRoomUnreadDocument && refuses) throw new Error('refused');
      if (slowedForMs > 0) {
        const retryAfterMs = slowedForMs;
        slowedForMs = 0;
        throw new ApiError('RATE_LIMITED', { retryAfterMs });
      }
      if (document === MarkRoomReadDocument) told.push(input.upTo ?? 'all');
    },
    connection: { backoff: { wait: () => Promise.resolve() } },
  } as unknown as Parameters<typeof createReadTracker>[0];
  const readTracker = createReadTracker(api, { roomId: 'room', viewerId: 'aki' });
  readTracker.start({ firstUnread, newest });
  return {
    readTracker,
    refuse: () => {
      refuses = true;
    },
    /** Rate-limits the next request for this time. */
    slowDown(ms: number) {
      slowedForMs = ms;
    },
    /** A message arrives and is on the screen. */
    comes(message: Message) {
      readTracker.added(message);
      readTracker.seen([message]);
    },
    async toldWithin(ms: number) {
      await vi.advanceTimersByTimeAsync(ms);
      return told.splice(0);
    },
    async told() {
      await vi.runAllTimersAsync();
      return told.splice(0);
    },
  };
}

describe('web unread', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('reads what was on the screen, and nothing beyond a message that was not', async () => {
    const { readTracker, told } = opened(11, 100);
    readTracker.seen(roots(11, 20));
    readTracker.seen(roots(90, 100));
    expect(await told()).toEqual(['root 20']);
    readTracker.seen(roots(21, 89));
    expect(await told()).toEqual(['root 100']);
  });

  it('readTracker: takes everything before the viewer’s own message as read', async () => {
    const { comes, told } = opened(11, 100);
    comes(root(101, 'aki'));
    expect(await told()).toEqual([]);
    comes(root(102));
    expect(await told()).toEqual(['root 102']);
  });

  it('reads on where everything was marked as read', async () => {
    const { readTracker, comes, told } = opened(1, 240);
    readTracker.seen(roots(230, 240));
    await readTracker.markAllRead();
    expect(await told()).toEqual(['all']);
    comes(root(241));
    expect(await told()).toEqual(['root 241']);
  });

  it('takes everything that it knew to be unread as read when the badge falls to zero', async () => {
    const { readTracker, comes, told } = opened(11, 100);
    readTracker.counted(90);
    readTracker.added(root(101));
    readTracker.counted(91);
    // Newer than the next badge.
    readTracker.added(root(102));
    readTracker.counted(0);
    comes(root(103));
    expect(await told()).toEqual([]);
    readTracker.seen([root(102)]);
    expect(await told()).toEqual(['root 103']);
  });

  it('takes nothing as read because of a badge that has not heard of it yet', async () => {
    const { readTracker, comes, told } = opened(11, 100);
    readTracker.counted(0);
    comes(root(101));
    expect(await told()).toEqual([]);
  });

  it('goes on from where somebody has read on another device, and not from what is told again', async () => {
    const { readTracker, told } = opened(11, 100);
    readTracker.counted(90, 10);
    readTracker.seen(roots(11, 20));
    readTracker.seen(roots(61, 65));
    expect(await told()).toEqual(['root 20']);
    readTracker.counted(80, 20);
    readTracker.counted(40, 60);
    expect(await told()).toEqual(['root 65']);
    expect(readTracker.hasReadUntil(root(66))).toBe(true);

    await readTracker.markUnread(root(31));
    readTracker.counted(35, 65);
    readTracker.counted(70, 30);
    readTracker.start({ firstUnread: 31, newest: 100 });
    readTracker.counted(70, 30);
    readTracker.seen(roots(51, 55));
    expect(await told()).toEqual([]);
    readTracker.counted(50, 50);
    expect(await told()).toEqual(['root 55']);
  });

  it('takes nothing as read because of what was told before the room was opened', async () => {
    const { readTracker, told } = opened(31, 100);
    // From before it was marked as unread on another device.
    readTracker.counted(0, 100);
    readTracker.counted(70, 30);
    readTracker.seen(roots(31, 40));
    expect(await told()).toEqual(['root 40']);
  });

  it('reads nothing more after marking as unread, until all is marked as read or answered', async () => {
    const { readTracker, comes, told } = opened(101, 100);
    await readTracker.markUnread(root(90));
    comes(root(101));
    readTracker.counted(12);
    readTracker.counted(0);
    expect(await told()).toEqual([]);
    await readTracker.markAllRead();
    comes(root(102));
    expect(await told()).toEqual(['all', 'root 102']);

    await readTracker.markUnread(root(90));
    comes(root(103, 'aki'));
    comes(root(104));
    expect(await told()).toEqual(['root 104']);
  });

  it('reads on where marking as unread failed', async () => {
    const { readTracker, refuse, comes, told } = opened(101, 100);
    refuse();
    await expect(readTracker.markUnread(root(90))).rejects.toThrow('refused');
    comes(root(101));
    expect(await told()).toEqual(['root 101']);
  });

  it('waits as long as the server says where it tells too often, and then tells the last it has read', async () => {
    const { readTracker, slowDown, toldWithin } = opened(11, 100);
    slowDown(5_000);
    readTracker.seen(roots(11, 20));
    expect(await toldWithin(1_000)).toEqual([]);
    readTracker.seen(roots(21, 30));
    expect(await toldWithin(4_000)).toEqual([]);
    expect(await toldWithin(1_000)).toEqual(['root 30']);
  });

  it('knows whether everything before a message has been read', () => {
    const { readTracker } = opened(100, 100);
    expect(readTracker.hasReadUntil(root(101))).toBe(false);
    readTracker.seen([root(100)]);
    expect(readTracker.hasReadUntil(root(101))).toBe(true);
    expect(readTracker.hasReadUntil(root(102))).toBe(false);
  });
});
