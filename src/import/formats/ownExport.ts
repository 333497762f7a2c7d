/**
 * What `npm run export` writes: format 2 of `src/export/lines.ts`. Exports of several rooms may follow each other in a
 * file.
 */

import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import { microsOf, type Timestamp } from '../../core/timestamps.ts';
import { EXPORT_FORMAT } from '../../export/lines.ts';
import { idOf } from '../../graphql/ids.ts';
import { storedMentionsIn, withShortestHandles } from '../../messages/mentions.ts';
import { parseMessageId } from '../../messages/message.ts';
import { capacityField } from '../../rooms/input.ts';
import {
  checkBody,
  checked,
  idField,
  pastMicros,
  pastTime,
  reactionsProblem,
  stampKeyField,
  textField,
} from '../fields.ts';
import type { Reader } from '../import.ts';
import { eachJson } from '../input.ts';
import { LineProblem } from '../problems.ts';
import type { Spool } from '../spool.ts';
import type { ImportedBan, ImportedMember, ImportedRoom, Place } from '../types.ts';

export interface OwnExportOptions {
  readonly path: string;
  /** For problems: `room.ndjson`. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const readOwnExport =
  ({ path, name, now }: OwnExportOptions): Reader =>
  async (spool, problems) => {
    const lines = lineSchemas(now);
    /** Undefined: there was no room yet. Null: the room's line was refused, so its other lines have no room. */
    let open: OpenRoom | null | undefined;
    /** Nothing is known about the lines of another format, so they are not checked. */
    let isOtherFormat = false;

    /** Throws before the first room. Null: only the fields of the line can be checked. */
    function roomOfLine(): OpenRoom | null {
      if (open === undefined) throw new LineProblem('It is before the first room.');
      return open;
    }

    function admit(type: 'member' | 'ban', user: string, use: (room: OpenRoom) => void): void {
      const room = roomOfLine();
      if (room === null) return;
      if (room.begun) throw new LineProblem('It comes after threads: members and bans are before them.');
      const name = `${type} ${user}`;
      if (room.named.has(name)) throw new LineProblem(`This ${type} was there before.`);
      room.named.add(name);
      use(room);
    }

    await eachJson({ path, name, problems }, async (value, place) => {
      const { type } = checked(z.looseObject({ type: z.string() }), value);
      if (type === 'room') {
        if (open?.begun === false) begin(open, spool);
        open = null;
        isOtherFormat = true;
        checked(lines.format, value);
        isOtherFormat = false;
        open = roomOf(checked(lines.room, value), place);
      } else if (isOtherFormat) {
        return;
      } else if (type === 'member') {
        const { user, role, joinedAt } = checked(lines.member, value);
        admit(type, user.id, ({ members }) => members.push({ user: personOf(user, spool), role, joinedAt }));
      } else if (type === 'ban') {
        const { user, by, createdAt } = checked(lines.ban, value);
        admit(type, user.id, ({ bans }) =>
          bans.push({ user: personOf(user, spool), by: personOf(by, spool), at: createdAt }),
        );
      } else if (type === 'thread') {
        const room = roomOfLine();
        const thread = checked(lines.thread, value);
        if (room === null) return;
        if (!room.begun) begin(room, spool);
        await readThread(room.room.id, thread, { spool, place });
      } else {
        throw new LineProblem('`type` must be `room`, `member`, `ban` or `thread`.');
      }
    });
    if (open?.begun === false) begin(open, spool);
  };

/** A room whose lines are being read. */
interface OpenRoom {
  readonly room: Omit<ImportedRoom, 'members' | 'bans'>;
  readonly place: Place;
  readonly members: ImportedMember[];
  readonly bans: ImportedBan[];
  /** The users among its members and bans: `member <user>`, `ban <user>`. */
  readonly named: Set<string>;
  /** All of it but its messages is known. */
  begun: boolean;
}

function begin(open: OpenRoom, spool: Spool): void {
  const { room, members, bans } = open;
  open.begun = true;
  spool.room({ ...room, members, bans }, open.place);
}

type Lines = ReturnType<typeof lineSchemas>;
type PersonFields = z.output<Lines['member']>['user'];
type MessageFields = z.output<Lines['thread']>['replies'][number];

function lineSchemas(now: number) {
  const time = pastTime(now);
  const person = z.object({
    id: idField('User'),
    handle: textField.nullable(),
    displayName: textField.min(1).max(200),
    deletedAt: time.optional(),
  });
  const message = z.object({
    id: textField,
    createdAt: pastMicros(now),
    editedAt: time.nullable(),
    deletedAt: time.nullable(),
    author: person,
    body: textField.nullable(),
    bodyWithIds: textField.nullish(),
    mentions: z.array(person),
    version: z.int().min(1),
    edits: z.int().min(0),
    inReplyTo: textField.optional(),
    likes: z.array(z.object({ createdAt: pastMicros(now), user: person })),
    stamps: z.array(z.object({ stamp: stampKeyField, createdAt: pastMicros(now), user: person })),
  });
  const format = z.object({
    format: z.custom<typeof EXPORT_FORMAT>((version) => version === EXPORT_FORMAT, {
      error: `must be ${EXPORT_FORMAT}: export the room again with this release.`,
    }),
  });
  const room = z.object({
    id: idField('Room'),
    name: textField.min(1).max(1_000),
    topic: textField.max(1_000).nullable(),
    visibility: z.enum(['PUBLIC', 'PRIVATE', 'DIRECT']),
    createdAt: time,
    version: z.int().min(1),
    capacity: capacityField.nullable(),
    people: z.array(idField('User')).max(8).optional(),
  });
  return {
    format,
    room,
    member: z.object({ user: person, role: z.enum(['OWNER', 'MODERATOR', 'MEMBER']), joinedAt: time }),
    ban: z.object({ user: person, by: person, createdAt: time }),
    thread: message.extend({ position: z.int().min(1).nullable(), replies: z.array(message) }),
  };
}

function roomOf({ people, ...fields }: z.output<Lines['room']>, place: Place): OpenRoom {
  const room = { ...fields, ...defined({ people }) };
  return { room, place, members: [], bans: [], named: new Set(), begun: false };
}

/** Notes the person, and returns their id. The profile is that of the first line that names them. */
function personOf({ id, handle, displayName, deletedAt }: PersonFields, spool: Spool): string {
  spool.person({
    id,
    handle,
    displayName,
    followsToken: false,
    ...defined({ deletedAt }),
  });
  return id;
}

async function readThread(
  room: string,
  { position, replies, ...opening }: z.output<Lines['thread']>,
  { spool, place }: { readonly spool: Spool; readonly place: Place },
): Promise<void> {
  const root = keyOf(opening, room);
  if (root.ts !== root.threadTs) throw new LineProblem('`id` must be that of a thread root.');
  const messages = replies.map((reply) => ({ reply, key: keyOf(reply, room) }));
  if (messages.some(({ key }) => key.threadTs !== root.ts || key.ts <= root.ts)) {
    throw new LineProblem('A reply has an id of another thread.');
  }
  await spool.message(room, messageOf(opening, { replyTo: null, position, spool }), place);
  for (const { reply } of messages) {
    const replyTo = reply.inReplyTo ?? opening.id;
    await spool.message(room, messageOf(reply, { replyTo, position: null, spool }), place);
  }
}

/** The id has the same time as the line. */
function keyOf(
  { id, createdAt }: MessageFields,
  room: string,
): { readonly threadTs: Timestamp; readonly ts: Timestamp } {
  const key = parseMessageId(idOf('Message', id) ?? '');
  if (key === undefined || key.room !== room || microsOf(key.ts) !== createdAt) {
    throw new LineProblem('A message has an id of another room, or another time than its id.');
  }
  return key;
}

interface Placed {
  readonly replyTo: string | null;
  readonly position: number | null;
  readonly spool: Spool;
}

function messageOf(fields: MessageFields, { replyTo, position, spool }: Placed) {
  const { id, createdAt, editedAt, deletedAt, version, edits } = fields;
  const body = bodyOf(fields);
  const stamps = fields.stamps.map(({ stamp, createdAt: at, user }) => ({
    stampKey: stamp,
    at,
    user: personOf(user, spool),
  }));
  const likes = fields.likes.map(({ createdAt: at, user }) => ({ at, user: personOf(user, spool) }));
  const wrong = reactionsProblem({ stamps, likes }, body === null);
  if (wrong !== undefined) throw new LineProblem(wrong);
  return {
    key: id,
    replyTo,
    position,
    at: createdAt,
    author: personOf(fields.author, spool),
    body,
    mentions: fields.mentions.map((user) => personOf(user, spool)),
    editedAt,
    edits,
    deletedAt,
    version,
    externalId: null,
    stamps,
    likes,
  };
}

function bodyOf({ body, bodyWithIds, mentions, deletedAt }: MessageFields): string | null {
  if ((body === null) !== (deletedAt !== null)) throw new LineProblem('Only deleted messages have no body.');
  const stored = bodyWithIds ?? body;
  if (stored === null) return null;
  const mentioned = storedMentionsIn(stored);
  if (mentioned.some((user) => !mentions.some(({ id }) => id === user))) {
    throw new LineProblem('`bodyWithIds` names users who are not in `mentions`.');
  }
  // The text that was sent had handles of then.
  checkBody(withShortestHandles(stored));
  return stored;
}
