/**
 * The messages of an import, between reading and writing. Their texts are in a temporary file; memory holds some 300
 * bytes for each message: what its key in the table is made of. So nothing is written before everything was read, and
 * the messages may be in any order in the input.
 */
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../core/errors.ts';
import { fileReason } from '../core/fileErrors.ts';
import { toTimestamp } from '../core/timestamps.ts';
import type { Problems } from './problems.ts';
import type { ImportedMessage, ImportedPerson, ImportedRoom, Place } from './types.ts';

/** A message whose record is in the file. */
export interface Row {
  readonly key: string;
  readonly place: Place;
  readonly replyTo: string | null;
  readonly author: string;
  readonly wishedAt: number;
  readonly wishedPosition: number | null;
  readonly externalId: string | null;
  readonly offset: number;
  readonly length: number;
  /** Microseconds: when it is created in the table. No two roots of a room have the same, nor two replies of a root. */
  at: number;
  /** The thread's root; itself if it is one. Undefined until `close`. */
  root: Row | undefined;
  /** The replies of a root, in the order of their times. */
  replies: Row[];
  /** The number of a root among the roots of its room. */
  position: number;
}

export interface SpooledRoom {
  readonly room: ImportedRoom;
  readonly place: Place;
  /** After `close`: the roots in the order of their times. */
  roots: Row[];
  messages: number;
  /** Names exactly this content: an import of something else does not continue where another one ended. */
  digest: string;
}

/** The most messages of one run: about 2 GB of memory. */
const MESSAGES_MAX = 5_000_000;
const WRITE_AT = 1 << 20;

export type OpenFile = () => Promise<Pick<FileHandle, 'read' | 'write' | 'close'>>;

async function openTemporary(): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-import-'));
  try {
    return await open(join(directory, 'messages'), 'wx+', 0o600);
  } finally {
    // The open file stays usable, and is gone with the process, however that ends.
    await rm(directory, { recursive: true });
  }
}

function refuse(error: unknown): never {
  const reason = fileReason(error);
  if (reason === undefined) throw error;
  throw new StartError(
    `The texts cannot wait in the temporary directory ${tmpdir()}: ${reason}. Nothing was written. Correct that, or set TMPDIR to another directory.`,
    { cause: error },
  );
}

export type Spool = Awaited<ReturnType<typeof openSpool>>;

/** Throws `StartError` if the temporary directory is full or cannot be used, here and while messages are added. */
export async function openSpool(problems: Problems, openFile: OpenFile = openTemporary) {
  const file = await openFile().catch(refuse);

  const people = new Map<string, ImportedPerson>();
  const rooms = new Map<string, SpooledRoom>();
  const rowsOf = new Map<string, { readonly byKey: Map<string, Row>; readonly hash: Hash }>();
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let size = 0;
  let count = 0;

  async function flush(): Promise<void> {
    const bytes = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    const from = size - bytes.length;
    // A disk that becomes full takes a part, and says so at the next one.
    for (let done = 0; done < bytes.length; ) {
      const rest = bytes.subarray(done);
      const { bytesWritten } = await file.write(rest, 0, rest.length, from + done).catch(refuse);
      done += bytesWritten;
    }
  }

  return {
    people,
    rooms,
    get messages() {
      return count;
    },

    /** The first one with an id counts. */
    person(person: ImportedPerson): void {
      if (!people.has(person.id)) people.set(person.id, person);
    },

    /**
     * `said`: what the input says about the room, from which the digest is made. Nothing in it may come from the table
     * or the clock, or the same input would not continue an import. Default: the room.
     */
    room(room: ImportedRoom, place: Place, said: unknown = room): void {
      if (rooms.has(room.id)) {
        problems.add(place, 'This room was there before.');
        return;
      }
      rooms.set(room.id, { room, place, roots: [], messages: 0, digest: '' });
      const hash = createHash('sha256').update(JSON.stringify(said));
      rowsOf.set(room.id, { byKey: new Map(), hash });
    },

    /** Its room was added before. */
    async message(room: string, message: ImportedMessage, place: Place): Promise<void> {
      const rows = rowsOf.get(room);
      if (rows === undefined) {
        problems.add(place, 'The room of this message is not known.');
        return;
      }
      const before = rows.byKey.get(message.key);
      if (before !== undefined) {
        problems.add(place, `This message has the same id as the one at ${before.place}.`);
        return;
      }
      if (++count > MESSAGES_MAX) {
        if (count === MESSAGES_MAX + 1) {
          problems.add(place, `One run imports at most ${MESSAGES_MAX} messages: divide the input.`);
        }
        return;
      }
      const text = JSON.stringify(message);
      const bytes = Buffer.from(text);
      rows.hash.update(text);
      const row: Row = {
        key: message.key,
        place,
        replyTo: message.replyTo,
        author: message.author,
        wishedAt: message.at,
        wishedPosition: message.position,
        externalId: message.externalId,
        offset: size,
        length: bytes.length,
        at: message.at,
        root: undefined,
        replies: [],
        position: 0,
      };
      rows.byKey.set(message.key, row);
      pending.push(bytes);
      pendingBytes += bytes.length;
      size += bytes.length;
      if (pendingBytes >= WRITE_AT) await flush();
    },

    /** Everything was read: threads are put together, and each message gets its place. */
    async close(): Promise<void> {
      await flush();
      for (const [id, spooled] of rooms) {
        const { byKey, hash } = rowsOf.get(id) ?? {
          byKey: new Map<string, Row>(),
          hash: createHash('sha256'),
        };
        spooled.roots = threadsOf(byKey, problems);
        spooled.messages = byKey.size;
        spooled.digest = hash.digest('base64url');
        rowsOf.delete(id);
      }
    },

    async read({ offset, length }: Row): Promise<ImportedMessage> {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
      return JSON.parse(buffer.toString()) as ImportedMessage;
    },

    end: () => file.close(),
  };
}

function threadsOf(byKey: ReadonlyMap<string, Row>, problems: Problems): Row[] {
  const roots: Row[] = [];
  for (const row of byKey.values()) {
    const root = rootOf(row, byKey, problems);
    if (root === undefined) continue;
    if (root === row) roots.push(row);
    else root.replies.push(row);
  }
  const byTime = (a: Row, b: Row) => a.wishedAt - b.wishedAt;
  roots.sort(byTime);
  placeAfter(0, roots);
  for (const root of roots) placeReplies(root);
  roots.toSorted(byPosition).forEach((root, i) => {
    root.position = i + 1;
  });
  return roots;
}

/** Replies come after their root, in the order of their times. */
export function placeReplies(root: Row): void {
  root.replies.sort((a, b) => a.wishedAt - b.wishedAt);
  placeAfter(root.at, root.replies);
}

/** Each at its own time, or the next microsecond that is free. */
function placeAfter(first: number, rows: readonly Row[]): void {
  let last = first;
  for (const row of rows) {
    row.at = Math.max(row.wishedAt, last + 1);
    last = row.at;
  }
}

/** Positions that are given keep their order; the other roots follow. */
const byPosition = (a: Row, b: Row): number =>
  (a.wishedPosition ?? Number.MAX_SAFE_INTEGER) - (b.wishedPosition ?? Number.MAX_SAFE_INTEGER) ||
  a.at - b.at;

function rootOf(row: Row, byKey: ReadonlyMap<string, Row>, problems: Problems): Row | undefined {
  const path = new Set<Row>();
  let at = row;
  while (at.root === undefined && at.replyTo !== null) {
    path.add(at);
    const next = byKey.get(at.replyTo);
    if (next === undefined || path.has(next)) {
      problems.add(
        row.place,
        next === undefined
          ? `It answers ${JSON.stringify(at.replyTo)}, which is not a message of its room in this input.`
          : 'It answers a message that answers it.',
      );
      return undefined;
    }
    at = next;
  }
  const root = at.root ?? at;
  root.root = root;
  for (const one of path) one.root = root;
  return root;
}

/** The timestamps that name the message in the table. */
export const timestampsOf = (row: Row) => ({
  threadTs: toTimestamp((row.root ?? row).at),
  ts: toTimestamp(row.at),
});
