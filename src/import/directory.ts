/** The rooms and people that the rows of an input may name. */
import { z } from 'zod';
import { toTimestamp } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { roomIdIn } from '../export/export.ts';
import { nameField, topicField } from '../rooms/input.ts';
import { roomOf } from '../rooms/room.ts';
import { HANDLE, normalizedHandle } from '../users/user.ts';
import { checked, pastMicros, textField } from './fields.ts';
import { EXTERNAL_ID_MAX, type Identities, importedPerson, type KnownPerson } from './identities.ts';
import { LineProblem, type Problems } from './problems.ts';
import { eachRow } from './rows.ts';
import type { Spool } from './spool.ts';
import type { ImportedMember, ImportedPerson, ImportedRoom, Place } from './types.ts';

export interface DirectoryOptions {
  readonly dynamo: Dynamo;
  readonly identities: Identities;
  readonly spool: Spool;
  readonly problems: Problems;
  /** Makes rooms and people that are not known, with these rooms' visibility. Absent: they are problems. */
  readonly create?: 'PUBLIC' | 'PRIVATE' | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export const externalIdField = textField.min(1).max(EXTERNAL_ID_MAX);

export type Directory = ReturnType<typeof createDirectory>;

export function createDirectory({ dynamo, identities, spool, problems, create, now }: DirectoryOptions) {
  const people = new Map<string, ImportedPerson>();
  const rooms = new Map<string, string>();

  const personRow = z.strictObject({
    id: externalIdField,
    displayName: textField.min(1).optional(),
    handle: z
      .string()
      .transform(normalizedHandle)
      .refine((handle) => HANDLE.test(handle), { error: 'must have 3 to 20 of a–z, 0–9 and _.' })
      .optional(),
    subject: textField.min(1).max(255).optional(),
  });
  const roomRow = z.strictObject({
    id: externalIdField,
    name: nameField.optional(),
    topic: topicField.optional(),
    visibility: z.enum(['PUBLIC', 'PRIVATE']).optional(),
    createdAt: pastMicros(now).optional(),
    owner: externalIdField.optional(),
    members: z
      // In CSV, one text.
      .preprocess(
        (value) => (typeof value === 'string' ? value.split(';').map((id) => id.trim()) : value),
        z.array(externalIdField).optional(),
      )
      .optional(),
  });

  /** People by a file: who they are, and whose tokens are theirs. */
  async function readPeople(path: string, name: string): Promise<void> {
    await eachRow({ path, name, problems }, async (row) => {
      const person = checked(personRow, row);
      if (people.has(person.id))
        throw new LineProblem(`The person ${JSON.stringify(person.id)} was there before.`);
      people.set(person.id, importedPerson(person, identities));
    });
  }

  /** Rooms to create by a file. Their people have to be known by then. */
  async function readRooms(path: string, name: string): Promise<void> {
    await eachRow({ path, name, problems }, async (value, place) => {
      const row = checked(roomRow, value);
      if (rooms.has(row.id)) throw new LineProblem(`The room ${JSON.stringify(row.id)} was there before.`);
      const room = newRoom(row.id, { ...row, members: await membersOf(row) });
      spool.room(room, place, row);
      rooms.set(row.id, room.id);
    });
  }

  async function membersOf({ owner, members, createdAt }: z.output<typeof roomRow>) {
    if (owner === undefined && members === undefined) return null;
    const ids = [...new Set([...(owner === undefined ? [] : [owner]), ...(members ?? [])])];
    const joinedAt = toTimestamp(createdAt ?? now * 1_000);
    const found = await Promise.all(ids.map((id) => person(id)));
    return found.map((user, i): ImportedMember => ({ user, role: i === 0 ? 'OWNER' : 'MEMBER', joinedAt }));
  }

  interface NewRoom {
    readonly name?: string | undefined;
    readonly topic?: string | undefined;
    readonly visibility?: 'PUBLIC' | 'PRIVATE' | undefined;
    readonly createdAt?: number | undefined;
    readonly members: readonly ImportedMember[] | null;
  }

  function newRoom(id: string, { name = id, topic, visibility, createdAt, members }: NewRoom): ImportedRoom {
    return {
      id: identities.room(id),
      externalId: identities.externalId(id),
      name: checked(z.object({ name: nameField }), { name }).name,
      topic: topic?.trim() ? topic : null,
      visibility: visibility ?? create ?? 'PRIVATE',
      createdAt: createdAt === undefined ? null : toTimestamp(createdAt),
      version: 1,
      capacity: null,
      bans: [],
      members,
    };
  }

  /** The table's id of a person. Throws `LineProblem` for one who is not known. */
  async function person(id: string): Promise<string> {
    let known = people.get(id);
    if (known === undefined) {
      known = importedPerson({ id }, identities);
      const isThere = (await dynamo.get(keys.user(known.id))) !== undefined;
      if (!isThere && create === undefined) {
        throw new LineProblem(
          `The person ${JSON.stringify(id)} is not known. Name them in a file for --people, or add --create.`,
        );
      }
      people.set(id, known);
    }
    spool.person(known);
    return known.id;
  }

  /** The table's id of a room: of the file of rooms, of the table, or of an earlier import. Throws `LineProblem`. */
  async function room(id: string, place: Place): Promise<string> {
    const known = rooms.get(id);
    if (known !== undefined) return known;
    const found = await roomInTable(id);
    if (found === undefined && create === undefined) {
      throw new LineProblem(
        `The room ${JSON.stringify(id)} is not known. Name it in a file for --rooms, or add --create.`,
      );
    }
    const added = found ?? newRoom(id, { members: null });
    // Whether the table has it already is not part of the input.
    spool.room(added, place, { id, create });
    rooms.set(id, added.id);
    return added.id;
  }

  async function roomInTable(id: string): Promise<ImportedRoom | undefined> {
    for (const own of [identities.room(id), roomIdIn(id)]) {
      const item = own === null ? undefined : await dynamo.get(keys.room(own));
      if (own !== null && item !== undefined) {
        return { ...roomOf(own, item), capacity: null, members: null, bans: [] };
      }
    }
    return undefined;
  }

  /** Names a person, unless a file of people does. Returns the table's id. */
  function know(person: KnownPerson): string {
    const one = people.get(person.id) ?? importedPerson(person, identities);
    people.set(person.id, one);
    spool.person(one);
    return one.id;
  }

  /** The table's id of a person who was named before. */
  function known(id: string): string | undefined {
    const one = people.get(id);
    if (one !== undefined) spool.person(one);
    return one?.id;
  }

  return {
    readPeople,
    readRooms,
    person,
    room,
    know,
    known,
    mayCreate: create !== undefined,
    identities,
    now,
  };
}
