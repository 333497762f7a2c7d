import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../web/src/api/errors.ts';
import { MarkRoomReadDocument, MarkRoomUnreadDocument } from '../../../web/src/generated/graphql.ts';
import type { Message } from '../../../web/src/timeline/message.ts';
import { createReader } from '../../../web/src/unread/reader.ts';

const root = (position: number, author = 'ben') =>
  ({ id: `root ${position}`, position, root: null, author: { id: author } }) as unknown as Message;

const roots = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => root(from + at));

/** A reader for aki, and the messages up to which it marked the room as read, in order. */
function opened(firstUnread: number, newest: number) {
  const told: (string | undefined)[] = [];
  let refuses = false;
  let slowedForMs = 0;
  const api = {
    async fetch(document: unknown, { input }: { input: { upTo?: string } }) {
      if (document === MarkRoomUnreadDocument && refuses) throw new Error('refused');
      if (slowedForMs > 0) {
        const retryAfterMs = slowedForMs;
        slowedForMs = 0;
        throw new ApiError('RATE_LIMITED', { retryAfterMs });
      }
      if (document === MarkRoomReadDocument) told.push(input.upTo ?? 'all');
    },
    connection: { gate: { wait: () => Promise.resolve() } },
  } as unknown as Parameters<typeof createReader>[0];
  const reader = createReader(api, { roomId: 'room', viewerId: 'aki' });
  reader.start({ firstUnread, newest });
  return {
    reader,
    refuse: () => {
      refuses = true;
    },
    /** The next request exceeds the rate limit, with this time to wait. */
    slowDown(ms: number) {
      slowedForMs = ms;
    },
    /** A message arrives and is on the screen. */
    comes(message: Message) {
      reader.added(message);
      reader.seen([message]);
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

  it('readTracker: marks what was on the screen as read, up to the first message that was not', async () => {
    const { reader, told } = opened(11, 100);
    reader.seen(roots(11, 20));
    reader.seen(roots(90, 100));
    expect(await told()).toEqual(['root 20']);
    reader.seen(roots(21, 89));
    expect(await told()).toEqual(['root 100']);
  });

  it('readTracker: takes everything before the viewer’s own message as read', async () => {
    const { comes, told } = opened(11, 100);
    comes(root(101, 'aki'));
    expect(await told()).toEqual([]);
    comes(root(102));
    expect(await told()).toEqual(['root 102']);
  });

  it('readTracker: continues after all was marked as read', async () => {
    const { reader, comes, told } = opened(1, 240);
    reader.seen(roots(230, 240));
    await reader.markAllRead();
    expect(await told()).toEqual(['all']);
    comes(root(241));
    expect(await told()).toEqual(['root 241']);
  });

  it('readTracker: takes all known unread messages as read when the badge falls to zero', async () => {
    const { reader, comes, told } = opened(11, 100);
    reader.counted(90);
    reader.added(root(101));
    reader.counted(91);
    // Written after the state that the next badge describes.
    reader.added(root(102));
    reader.counted(0);
    comes(root(103));
    expect(await told()).toEqual([]);
    reader.seen([root(102)]);
    expect(await told()).toEqual(['root 103']);
  });

  it('readTracker: takes nothing as read because of a badge that is older than the message', async () => {
    const { reader, comes, told } = opened(11, 100);
    reader.counted(0);
    comes(root(101));
    expect(await told()).toEqual([]);
  });

  it('readTracker: continues from a position read on another device, and ignores repeated positions', async () => {
    const { reader, told } = opened(11, 100);
    reader.counted(90, 10);
    reader.seen(roots(11, 20));
    reader.seen(roots(61, 65));
    expect(await told()).toEqual(['root 20']);
    reader.counted(80, 20);
    reader.counted(40, 60);
    expect(await told()).toEqual(['root 65']);
    expect(reader.hasReadUntil(root(66))).toBe(true);

    await reader.markUnread(root(31));
    reader.counted(35, 65);
    reader.counted(70, 30);
    reader.start({ firstUnread: 31, newest: 100 });
    reader.counted(70, 30);
    reader.seen(roots(51, 55));
    expect(await told()).toEqual([]);
    reader.counted(50, 50);
    expect(await told()).toEqual(['root 55']);
  });

  it('readTracker: ignores badge states from before the room was opened', async () => {
    const { reader, told } = opened(31, 100);
    // From before the room was marked as unread on another device.
    reader.counted(0, 100);
    reader.counted(70, 30);
    reader.seen(roots(31, 40));
    expect(await told()).toEqual(['root 40']);
  });

  it('readTracker: stops after marking as unread, until all is marked as read or the viewer writes', async () => {
    const { reader, comes, told } = opened(101, 100);
    await reader.markUnread(root(90));
    comes(root(101));
    reader.counted(12);
    reader.counted(0);
    expect(await told()).toEqual([]);
    await reader.markAllRead();
    comes(root(102));
    expect(await told()).toEqual(['all', 'root 102']);

    await reader.markUnread(root(90));
    comes(root(103, 'aki'));
    comes(root(104));
    expect(await told()).toEqual(['root 104']);
  });

  it('readTracker: continues after marking as unread failed', async () => {
    const { reader, refuse, comes, told } = opened(101, 100);
    refuse();
    await expect(reader.markUnread(root(90))).rejects.toThrow('refused');
    comes(root(101));
    expect(await told()).toEqual(['root 101']);
  });

  it('readTracker: waits for retryAfterMs when rate limited, and then sends its latest position', async () => {
    const { reader, slowDown, toldWithin } = opened(11, 100);
    slowDown(5_000);
    reader.seen(roots(11, 20));
    expect(await toldWithin(1_000)).toEqual([]);
    reader.seen(roots(21, 30));
    expect(await toldWithin(4_000)).toEqual([]);
    expect(await toldWithin(1_000)).toEqual(['root 30']);
  });

  it('readTracker: knows whether everything before a message was read', () => {
    const { reader } = opened(100, 100);
    expect(reader.hasReadUntil(root(101))).toBe(false);
    reader.seen([root(100)]);
    expect(reader.hasReadUntil(root(101))).toBe(true);
    expect(reader.hasReadUntil(root(102))).toBe(false);
  });
});
