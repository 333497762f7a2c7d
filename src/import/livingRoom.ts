/**
 * A room that the table has already: what is there stays as it is, and only messages that are missing are written. New
 * roots get the next positions, by the mechanism that gives them to sent ones, so they are unread for the members.
 * A thread is written from its ends to its root: its reactions and replies first, then the root that makes it visible.
 */
import { toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { ConditionsFailed } from '../dynamo/errors.ts';
import type { Item } from '../dynamo/item.ts';
import { type Key, keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { Check, Write } from '../dynamo/write.ts';
import { messageOf, NEWEST_REPLIES_MAX, PARTICIPANTS_MAX, provenReplies } from '../messages/message.ts';
import { type MessageWithReactions, messageItems, reactionItems } from '../reactions/historyItems.ts';
import type { PendingEntry } from '../roomEvents/logTransaction.ts';
import { createRoomLog } from '../roomEvents/roomLog.ts';
import { leftByRunBefore, removeLeft, withoutFormer } from './former.ts';
import { answeredIn, changedMeanwhile, type RoomWriterOptions } from './newRoom.ts';
import { unitsOf } from './pace.ts';
import { placeReplies, type Row, type SpooledRoom } from './spool.ts';
import { wholeMessage } from './threads.ts';

/** What of an input a room does not have yet. */
export interface Missing {
  readonly messages: ReadonlySet<Row>;
  /** Roots without a position: an import ended before they got one. */
  readonly unplaced: readonly Row[];
}

const KEYS_AT_ONCE = 100;
/** Messages of one microsecond. */
const SAME_TIME_MAX = 10_000;
/** Replies in a transaction with their root: two items each, if their bodies are long. */
const REPLIES_AT_ONCE = 40;
/** Their write units, which are those of one partition. It has 1,000 a second, which others use as well. */
const UNITS_AT_ONCE = 250;
const ROOTS_AT_ONCE = 500;

/**
 * Finds out which messages are missing. A message of the input is there if an item with its time was imported from it
 * (or, of our own export, has its id). If another message has that time, the next microsecond counts.
 */
export async function missingIn(dynamo: Dynamo, { room, roots }: SpooledRoom): Promise<Missing> {
  const messages = new Set<Row>();
  const unplaced: Row[] = [];
  const rootKey = (_: Row, at: number) => keys.root(room.id, toTimestamp(at));
  await locate(dynamo, roots, rootKey, (row, item) => {
    if (item === undefined) messages.add(row);
    else if (item.position === undefined) unplaced.push(row);
  });
  for (const root of roots) placeReplies(root);
  const replyKey = ({ root }: Row, at: number) =>
    keys.reply(room.id, toTimestamp(root?.at ?? 0), toTimestamp(at));
  const replies = roots.flatMap((root) => root.replies);
  await locate(dynamo, replies, replyKey, (row, item) => {
    if (item === undefined) messages.add(row);
  });
  // Replies of one moment may be there in another order than the input has.
  for (const root of roots) root.replies.sort((a, b) => a.at - b.at);
  return { messages, unplaced };
}

/** Times that follow each other, all of which are taken by messages. */
interface Run {
  /** The first time that is free. */
  readonly end: number;
  /** The messages that were imported, by their external ids. */
  readonly imported: ReadonlyMap<string, { readonly at: number; readonly position: unknown }>;
}

type KeyAt = (row: Row, at: number) => Key;

/**
 * Sets the time of each row to where its message is, or may be written: the roots of a room, or replies thread by
 * thread. Rows of one moment may be in another order than in the input of an earlier import, or new among them. So a
 * row that is not where the input alone would put it is looked for in the run that begins at its own time.
 */
async function locate(
  dynamo: Dynamo,
  rows: readonly Row[],
  keyAt: KeyAt,
  found: (row: Row, item: Item | undefined) => void,
): Promise<void> {
  /** The last time that was given to a row whose message is not in its run. */
  let last = 0;
  let run: Run | undefined;
  let thread: Row | undefined;
  for (let from = 0; from < rows.length; from += KEYS_AT_ONCE) {
    const some = rows.slice(from, from + KEYS_AT_ONCE);
    const items = await dynamo.batchGet(some.map((row) => keyAt(row, row.at)));
    for (const [i, row] of some.entries()) {
      const guess = row.at;
      const guessed = items[i];
      const inThread = row.root === row ? undefined : row.root;
      if (inThread !== thread) {
        last = 0;
        run = undefined;
      }
      thread = inThread;
      if (guessed !== undefined && isFrom(guessed, row)) {
        found(row, guessed);
        continue;
      }
      const begin = Math.max(row.wishedAt, (inThread?.at ?? 0) + 1);
      if (run === undefined || begin > run.end) {
        const isFree = guessed === undefined && begin === guess;
        run = isFree
          ? { end: begin, imported: new Map() }
          : await runOf(dynamo, begin, (at) => keyAt(row, at));
      }
      const known = run.imported.get(row.externalId ?? '');
      if (known !== undefined) {
        row.at = known.at;
        found(row, known);
        continue;
      }
      const itemAt = async (at: number) => (at === guess ? guessed : dynamo.get(keyAt(row, at)));
      // The end of the run is free. After it there may be messages of an import that was interrupted.
      row.at = Math.max(run.end, last + 1);
      let item = row.at === run.end ? undefined : await itemAt(row.at);
      for (let tries = 0; item !== undefined && !isFrom(item, row); tries++) {
        if (tries === SAME_TIME_MAX) throw new Error(`There is no free time for ${row.place}.`);
        row.at++;
        item = await itemAt(row.at);
      }
      last = row.at;
      found(row, item);
    }
  }
}

/** The run that begins at this time. */
async function runOf(dynamo: Dynamo, begin: number, keyAt: (at: number) => Key): Promise<Run> {
  const imported = new Map<string, { readonly at: number; readonly position: unknown }>();
  let end = begin;
  for (let count = 1; ; count = KEYS_AT_ONCE) {
    const times = Array.from({ length: count }, (_, i) => end + i);
    for (const item of await dynamo.batchGet(times.map(keyAt))) {
      if (item === undefined) return { end, imported };
      const { externalId, position } = item;
      if (externalId !== undefined) imported.set(externalId as string, { at: end, position });
      end++;
    }
  }
}

const isFrom = (item: Item, { externalId }: Row): boolean =>
  externalId === null || item.externalId === externalId;

/** The message, without its stamps and likes. */
const messageUnit = (whole: MessageWithReactions, shape: number) => [messageItems(whole, shape)];

/** A deletion removes what is in the room by then: nothing may be written after it. */
const exists = (room: string): Check => ({ check: keys.room(room), condition: 'attribute_exists(pk)' });

/** Throws `ImportStopped` if the room is deleted meanwhile. */
export async function writeMissing(
  options: RoomWriterOptions,
  spooled: SpooledRoom,
  missing: Missing,
): Promise<void> {
  try {
    await writeThreads(options, spooled, missing);
  } catch (error) {
    throw error instanceof ConditionsFailed ? changedMeanwhile(spooled.room) : error;
  }
}

async function writeThreads(
  options: RoomWriterOptions,
  spooled: SpooledRoom,
  { messages: missing, unplaced }: Missing,
): Promise<void> {
  const { dynamo, pace, spool, former, now, onMessages } = options;
  const { roots, messages: total } = spooled;
  const room = spooled.room.id;
  const log = createRoomLog({ dynamo, now });
  onMessages(total - missing.size);
  let waiting: Row[] = [...unplaced];

  async function place(): Promise<void> {
    if (waiting.length === 0) return;
    await pace.pay(waiting.length * 4);
    const entries = waiting.map((root): PendingEntry => {
      const threadTs = toTimestamp(root.at);
      return { entry: { type: 'message', threadTs, ts: threadTs, version: 1, added: true } };
    });
    await log.append(room, entries);
    waiting = [];
  }

  /** Likes and stamps are written before their message: a run that ended in between has left them. */
  async function whole(row: Row, answered: (row: Row) => Row | undefined): Promise<MessageWithReactions> {
    const record = await spool.read(row);
    const kept = withoutFormer(record, former);
    const placing = { room, answered: answered(row), positioned: false };
    const written = wholeMessage(row, kept, placing);
    if (kept !== record) {
      await removeLeft(options, leftByRunBefore(wholeMessage(row, record, placing), written));
    }
    return written;
  }

  for (const root of roots) {
    const replies = root.replies.filter((reply) => missing.has(reply));
    const isNew = missing.has(root);
    if (!isNew && replies.length === 0) continue;
    const answered = answeredIn(root);
    const wholes = async function* () {
      for (const row of replies) yield whole(row, answered);
    };
    for await (const some of together(wholes(), dynamo.shape())) {
      await pace.write(some, reactionItems, exists(room));
      if (isNew) await pace.write(some, messageUnit, exists(room));
      else await addReplies(options, spooled.room, some);
      onMessages(some.length);
    }
    if (!isNew) continue;
    const opening = await whole(root, answered);
    await pace.write([opening], reactionItems, exists(room));
    if (!(await pace.create(opening, messageUnit, exists(room)))) throw changedMeanwhile(spooled.room);
    onMessages(1);
    waiting.push(root);
    if (waiting.length >= ROOTS_AT_ONCE) await place();
  }
  await place();
}

/** Replies in parts, each of which fits in a transaction. */
async function* together(replies: AsyncIterable<MessageWithReactions>, shape: number) {
  let some: MessageWithReactions[] = [];
  let units = 0;
  for await (const reply of replies) {
    const more = unitsOfReply(reply, shape);
    if (some.length === REPLIES_AT_ONCE || (some.length > 0 && units + more > UNITS_AT_ONCE)) {
      yield some;
      some = [];
      units = 0;
    }
    some.push(reply);
    units += more;
  }
  if (some.length > 0) yield some;
}

/** In a transaction. */
const unitsOfReply = (reply: MessageWithReactions, shape: number): number =>
  messageItems(reply, shape).reduce((sum, item) => sum + 2 * unitsOf(item), 0);

/** Replies of one thread whose root is there, with what the root says about them. */
async function addReplies(
  { dynamo, pace }: RoomWriterOptions,
  named: SpooledRoom['room'],
  added: readonly MessageWithReactions[],
): Promise<void> {
  const [first] = added;
  if (first === undefined) return;
  const { room, threadTs } = first.message;
  const units = added.reduce((sum, one) => sum + unitsOfReply(one, dynamo.shape()), 0);
  // The root is read and changed.
  await pace.pay(units + 4);
  await dynamo.optimistic(async () => {
    const items = added.flatMap((one) => messageItems(one, dynamo.shape()));
    const puts = items.map((put): Write => ({ put, condition: 'attribute_not_exists(pk)' }));
    const item = await dynamo.get(keys.root(room, threadTs));
    if (item === undefined) throw changedMeanwhile(named);
    const root = countReplies(item, { room, threadTs, added });
    const failed = await dynamo.tryTransact({ puts, root, room: exists(room) });
    if (failed?.puts ?? failed?.room) throw changedMeanwhile(named);
    return failed === undefined ? undefined : AGAIN;
  });
}

interface Counting {
  readonly room: string;
  readonly threadTs: string;
  readonly added: readonly MessageWithReactions[];
}

/** As a sent reply does it (`messages/send.ts`), for several that may be older than those that are there. */
function countReplies(item: Item, { room, threadTs, added }: Counting): Write {
  const root = messageOf({ room, threadTs, ts: threadTs }, item);
  const times = [...provenReplies(item), ...added.map(({ message }) => message.ts)].sort();
  const authors = new Set([...root.participants, ...added.map(({ message }) => message.author)]);
  return {
    key: keys.root(room, threadTs),
    update:
      'SET replyCount = replyCount + :count, rev = rev + :one, lastReplyAt = :last, newestReplies = :newest, participants = :participants',
    condition: 'rev = :rev',
    values: {
      ':count': added.length,
      ':one': 1,
      ':rev': root.version,
      ':last': times.at(-1),
      ':newest': times.slice(-NEWEST_REPLIES_MAX),
      ':participants': [...authors].slice(0, PARTICIPANTS_MAX),
    },
  };
}
