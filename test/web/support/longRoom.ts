import type { Page } from 'playwright-core';
import { toDate, toTimestamp } from '../../../src/core/timestamps.ts';
import { bulkWrite } from '../../../src/dynamo/bulkWrite.ts';
import { IMPORTED } from '../../../src/dynamo/item.ts';
import { encodeId } from '../../../src/graphql/ids.ts';
import { messageId, messageItem, newMessage } from '../../../src/messages/message.ts';
import { counterItem } from '../../../src/rooms/room.ts';
import type { TestApp } from '../../support/servers/app.ts';

export interface LongRoom {
  /** The room's global id. */
  readonly id: string;
  /** The global id of the message with this number, from 1. */
  message(number: number): string;
  /** When it was sent. */
  sentAt(number: number): Date;
}

export interface LongRoomOptions {
  readonly name: string;
  readonly messages: number;
  /** Handles: the author of all messages, and a member who has read none of them. */
  readonly author: string;
  readonly reader: string;
  /** Default: 10 s. */
  readonly apartMicros?: number;
}

/** The last message is an hour old. */
const APART_MICROS = 10_000_000;

/** A public room with a long history of `Entry 1.`, `Entry 2.` …, written in bulk like an import. */
export async function makeLongRoom(
  { services, dynamo }: TestApp,
  options: LongRoomOptions,
): Promise<LongRoom> {
  const { name, messages, author, reader, apartMicros = APART_MICROS } = options;
  const [by, joins] = [services.users.idOf(author), services.users.idOf(reader)];
  const made = { name, topic: null, visibility: 'PUBLIC', capacity: null } as const;
  const { id: room } = await services.rooms.create(by, made);
  const end = (Date.now() - 3_600_000) * 1000;
  const stamp = (number: number) => toTimestamp(end - (messages - number) * apartMicros);
  const entry = (number: number) => ({
    ...messageItem(
      newMessage({
        room,
        threadTs: stamp(number),
        ts: stamp(number),
        author: by,
        body: bodyOf(number),
        mentions: [],
        extras: { stamps: {} },
      }),
    ),
    position: number,
    ...IMPORTED,
  });
  function* entries() {
    for (let number = 1; number <= messages; number++) yield entry(number);
  }
  await bulkWrite({ dynamo, items: entries(), by: 'transactions' });
  await dynamo.transact([{ put: { ...counterItem(room), messageCount: messages } }]);
  await services.rooms.join(joins, room);
  return {
    id: encodeId('Room', room),
    sentAt: (number) => toDate(stamp(number)),
    message: (number) => encodeId('Message', messageId({ room, threadTs: stamp(number), ts: stamp(number) })),
  };
}

/** Most are short. Some have several lines, so that row heights cannot be guessed. */
const bodyOf = (number: number) =>
  `Entry ${number}.${number % 7 === 0 ? ` ${'And so on and on. '.repeat((number % 5) * 8)}` : ''}`;

export interface Walk {
  readonly seen: number;
  readonly first: number;
  readonly last: number;
  /** Places at which the next message on the screen was not the next one in the room. */
  readonly gaps: readonly string[];
  /** Places at which the content moved differently from the scroll position, in pixels. */
  readonly jumps: readonly string[];
  readonly mostRows: number;
  readonly mostNodes: number;
  /** The height of the loaded content, in pixels. */
  readonly highest: number;
}

/**
 * Scrolls by a number of pixels per step until an entry is on the screen, and checks every frame: visible messages have
 * to move with the scroll position, and the next visible message has to be the next one in the room.
 */
export const walk = (page: Page, by: number, until: number): Promise<Walk> =>
  page.evaluate(`(${WALK})(${by}, ${until})`);

const WALK = `async (by, until) => {
  const log = document.querySelector('[role=log]');
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const top = (row) => row.getBoundingClientRect().top;
  const numberOf = (row) => Number(/Entry (\\d+)\\./.exec(row.textContent)?.[1]);
  const inSight = () => {
    const box = log.getBoundingClientRect();
    return [...log.querySelectorAll('[data-message]')].filter((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > box.top + 1 && top < box.bottom - 1;
    });
  };
  const seen = new Set();
  const found = { gaps: [], jumps: [], mostRows: 0, mostNodes: 0, highest: 0 };
  let before;
  const look = () => {
    const numbers = inSight().map(numberOf);
    numbers.forEach((number, index) => {
      seen.add(number);
      if (index > 0 && number !== numbers[index - 1] + 1) found.gaps.push(numbers[index - 1] + ' ' + number);
    });
    const [from, to] = [numbers[0], numbers.at(-1)];
    if (before !== undefined && (from > before.to + 1 || to < before.from - 1)) {
      found.gaps.push(before.from + '-' + before.to + ' to ' + from + '-' + to);
    }
    before = { from, to };
    found.mostRows = Math.max(found.mostRows, log.querySelectorAll('[data-message]').length);
    found.mostNodes = Math.max(found.mostNodes, document.querySelectorAll('*').length);
    found.highest = Math.max(found.highest, log.scrollHeight);
  };
  look();
  // A scrolling user: an earlier request to scroll is not continued.
  log.dispatchEvent(new WheelEvent('wheel', { deltaY: by }));
  // A walk that does not move any more ends with its window.
  while (!seen.has(until)) {
    const rows = inSight();
    const kept = by < 0 ? rows[0] : rows.at(-1);
    const [was, offset] = [top(kept), log.scrollTop];
    log.scrollTop += by;
    const moved = log.scrollTop - offset;
    // When a user scrolls, the page receives this event before anything else happens.
    log.dispatchEvent(new Event('scroll'));
    await frame();
    const jump = top(kept) - (was - moved);
    if (kept.isConnected && Math.abs(jump) > 1.5) found.jumps.push(numberOf(kept) + ' by ' + jump.toFixed(1));
    look();
  }
  return { ...found, seen: seen.size, first: Math.min(...seen), last: Math.max(...seen) };
}`;

/** The size of the page's heap after garbage collection, in bytes. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
