/** The flat form: one row for each message, as NDJSON or CSV. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { toTimestamp } from '../../core/timestamps.ts';
import type { Directory } from '../directory.ts';
import { externalIdField } from '../directory.ts';
import { checkBody, checked, pastMicros, textField } from '../fields.ts';
import type { Problems } from '../problems.ts';
import { eachRow } from '../rows.ts';
import type { Spool } from '../spool.ts';

export interface FlatOptions {
  readonly path: string;
  /** For problems. */
  readonly name: string;
  readonly directory: Directory;
  readonly spool: Spool;
  readonly problems: Problems;
}

export async function readFlat({ path, name, directory, spool, problems }: FlatOptions): Promise<void> {
  const { identities, now } = directory;
  const row = z.strictObject({
    id: externalIdField.optional(),
    roomId: externalIdField,
    createdAt: pastMicros(now),
    userId: externalIdField,
    text: textField.nullish(),
    replyToId: externalIdField.nullish(),
    deletedAt: pastMicros(now).nullish(),
  });
  const repeated = new Map<string, number>();

  /** Without an id, a row is known by what it says; equal ones are counted. */
  function keyOf({ id, ...rest }: z.output<typeof row>): string {
    if (id !== undefined) return id;
    const { roomId, createdAt, userId, text, replyToId } = rest;
    const said = createHash('sha256')
      .update(JSON.stringify([roomId, createdAt, userId, text, replyToId]))
      .digest('base64url')
      .slice(0, 22);
    const before = repeated.get(said) ?? 0;
    repeated.set(said, before + 1);
    return before === 0 ? said : `${said}.${before}`;
  }

  await eachRow({ path, name, problems }, async (value, place) => {
    const fields = checked(row, value);
    const { createdAt, text = '', deletedAt = null, replyToId = null } = fields;
    const body = deletedAt === null ? (text ?? '') : null;
    if (body !== null) checkBody(body, 'text');
    const [room, author] = [
      await directory.room(fields.roomId, place),
      await directory.person(fields.userId),
    ];
    const key = keyOf(fields);
    await spool.message(
      room,
      {
        key,
        replyTo: replyToId,
        at: createdAt,
        author,
        body,
        mentions: [],
        editedAt: null,
        edits: 0,
        version: null,
        position: null,
        stamps: [],
        likes: [],
        deletedAt: deletedAt === null ? null : toTimestamp(deletedAt),
        externalId: identities.externalId(key),
      },
      place,
    );
  });
}
