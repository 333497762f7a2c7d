import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../web/src/api/errors.ts';
import { MarkRoomReadDocument, MarkRoomUnreadDocument } from '../../../web/src/generated/graphql.ts';
import type { Message } from '../../../web/src/timeline/message.ts';
import { MAX_AHEAD, readUpTo, withReadTo, withSeen } from '../../../web/src/unread/contiguousReadPosition.ts';
import { createReadTracker } from '../../../web/src/unread/readTracker.ts';

const root = (position: number, author = 'ben') =>
  ({ id: `root ${position}`, position, root: null, author: { id: author } }) as unknown as Message;

const roots = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => root(from + at));

/** A read tracker for aki, and the positions it has sent to the server, in order. */
function opened(firstUnread: number, newest: number) {
  const sent: (string | undefined)[] = [];
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
      if (document === MarkRoomReadDocument) sent.push(input.upTo ?? 'all');
    },
    connection: { backoff: { wait: () => Promise.resolve() } },
  } as unknown as Parameters<typeof createReadTracker>[0];
  const readTracker = createReadTracker(api, { roomId: 'room', viewerId: 'aki' });
  readTracker.start({ firstUnread, newest });
  async function sentWithin(ms: number) {
    await vi.advanceTimersByTimeAsync(ms);
    return sent.splice(0);
  }
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
    arrives(message: Message) {
      readTracker.added(message);
      readTracker.seen([message]);
    },
    sentWithin,
    // Not all timers: one that an earlier file has left behind may be set again and again.
    sent: () => sentWithin(1_000),
  };
}

describe('withSeen', () => {
  it('keeps a bounded number of roots that were seen after a gap, and the newest ones', () => {
    let read = readUpTo(10);
    for (let position = 12; position < 12 + 3 * MAX_AHEAD; position++) {
      read = withSeen(read, [{ position, id: `root ${position}` }]);
    }
    expect(read.ahead.size).toBe(MAX_AHEAD);
    expect(read.position).toBe(10);
    const [oldest = 0] = read.ahead.keys();
    expect(oldest).toBe(12 + 2 * MAX_AHEAD);
    expect(withReadTo(read, oldest - 1)).toEqual({
      position: 11 + 3 * MAX_AHEAD,
      id: `root ${11 + 3 * MAX_AHEAD}`,
      ahead: new Map(),
    });
  });
});

describe('readTracker', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('marks what was on the screen as read, and nothing after a message that was not', async () => {
    const { readTracker, sent } = opened(11, 100);
    readTracker.seen(roots(11, 20));
    readTracker.seen(roots(90, 100));
    expect(await sent()).toEqual(['root 20']);
    readTracker.seen(roots(21, 89));
    expect(await sent()).toEqual(['root 100']);
  });

  it('takes everything before the viewer’s own message as read', async () => {
    const { arrives, sent } = opened(11, 100);
    arrives(root(101, 'aki'));
    expect(await sent()).toEqual([]);
    arrives(root(102));
    expect(await sent()).toEqual(['root 102']);
  });

  it('markAllRead: later messages are marked as read again once they are seen', async () => {
    const { readTracker, arrives, sent } = opened(1, 240);
    readTracker.seen(roots(230, 240));
    await readTracker.markAllRead();
    expect(await sent()).toEqual(['all']);
    arrives(root(241));
    expect(await sent()).toEqual(['root 241']);
  });

  it('counted: a badge that falls to zero marks as read what it had counted before', async () => {
    const { readTracker, arrives, sent } = opened(11, 100);
    readTracker.counted(90);
    readTracker.added(root(101));
    readTracker.counted(91);
    // Newer than the next badge.
    readTracker.added(root(102));
    readTracker.counted(0);
    arrives(root(103));
    expect(await sent()).toEqual([]);
    readTracker.seen([root(102)]);
    expect(await sent()).toEqual(['root 103']);
  });

  it('counted: a badge from before a message does not mark the message as read', async () => {
    const { readTracker, arrives, sent } = opened(11, 100);
    readTracker.counted(0);
    arrives(root(101));
    expect(await sent()).toEqual([]);
  });

  it('counted: continues from what was read on another device, and ignores a repeated position', async () => {
    const { readTracker, sent } = opened(11, 100);
    readTracker.counted(90, 10);
    readTracker.seen(roots(11, 20));
    readTracker.seen(roots(61, 65));
    expect(await sent()).toEqual(['root 20']);
    readTracker.counted(80, 20);
    readTracker.counted(40, 60);
    expect(await sent()).toEqual(['root 65']);
    expect(readTracker.hasReadUntil(root(66))).toBe(true);

    await readTracker.markUnread(root(31));
    readTracker.counted(35, 65);
    readTracker.counted(70, 30);
    readTracker.start({ firstUnread: 31, newest: 100 });
    readTracker.counted(70, 30);
    readTracker.seen(roots(51, 55));
    expect(await sent()).toEqual([]);
    readTracker.counted(50, 50);
    expect(await sent()).toEqual(['root 55']);
  });

  it('counted: a position from before the room was opened marks nothing as read', async () => {
    const { readTracker, sent } = opened(31, 100);
    // From before it was marked as unread on another device.
    readTracker.counted(0, 100);
    readTracker.counted(70, 30);
    readTracker.seen(roots(31, 40));
    expect(await sent()).toEqual(['root 40']);
  });

  it('markUnread: marks nothing as read until everything is marked as read or the viewer posts', async () => {
    const { readTracker, arrives, sent } = opened(101, 100);
    await readTracker.markUnread(root(90));
    arrives(root(101));
    readTracker.counted(12);
    readTracker.counted(0);
    expect(await sent()).toEqual([]);
    await readTracker.markAllRead();
    arrives(root(102));
    expect(await sent()).toEqual(['all', 'root 102']);

    await readTracker.markUnread(root(90));
    arrives(root(103, 'aki'));
    arrives(root(104));
    expect(await sent()).toEqual(['root 104']);
  });

  it('markUnread: continues to mark messages as read if the server refuses', async () => {
    const { readTracker, refuse, arrives, sent } = opened(101, 100);
    refuse();
    await expect(readTracker.markUnread(root(90))).rejects.toThrow('refused');
    arrives(root(101));
    expect(await sent()).toEqual(['root 101']);
  });

  it('waits as long as a rate limit asks for, and then sends the latest position', async () => {
    const { readTracker, slowDown, sentWithin } = opened(11, 100);
    slowDown(5_000);
    readTracker.seen(roots(11, 20));
    expect(await sentWithin(1_000)).toEqual([]);
    readTracker.seen(roots(21, 30));
    expect(await sentWithin(4_000)).toEqual([]);
    expect(await sentWithin(1_000)).toEqual(['root 30']);
  });

  it('hasReadUntil: says whether everything before a message has been read', () => {
    const { readTracker } = opened(100, 100);
    expect(readTracker.hasReadUntil(root(101))).toBe(false);
    readTracker.seen([root(100)]);
    expect(readTracker.hasReadUntil(root(101))).toBe(true);
    expect(readTracker.hasReadUntil(root(102))).toBe(false);
  });
});
