/**
 * Keeps the embedded database's stream records few. DynamoDB forgets them after 24 hours; the embedded
 * one never does, and reads all of them on every write and every poll: with 200,000 of them a put takes
 * 130 ms instead of 2.
 *
 * Its file is SQLite, so it can be given what it lacks, once, while nobody has it open:
 *  - Two indexes serve the queries of writes and polls.
 *  - A trigger deletes records when the table is tagged with how far its stream has been read. The tag is
 *    set through DynamoDB's own API (`TagResource`), so records go while the database is running: it
 *    takes some 30 ms for 4,000 of them, nothing has to stop, and no request fails.
 *
 * What has not been read stays, however old it is: a server that was off for a week goes on where it was.
 */
import { open, rm } from 'node:fs/promises';
import { type DynamoDBClient, TagResourceCommand } from '@aws-sdk/client-dynamodb';
import type { Log } from './database.ts';

/** How many of the newest records stay though they are read (numbering goes on from the newest one). */
export const KEEP = 10_000;
/** A request deletes at most that many, so that no other one waits for long. */
const TRIM_MAX = 4_000;
/** Trimming is worth its while when that many more have been read. */
const TRIM_EVERY = 2_000;
const READ_TO = 'tsudoi:stream-read-to';

/** SQLite's `application_id`, at a fixed place of the file's header. Change it with the SQL below. */
const MARK = 0x54535501;
const MARK_OFFSET = 68;

const SEQUENCE = 'CAST(sequence_number AS INTEGER)';
const OF_TABLE = 'FROM _stream_records WHERE table_name = NEW.table_name';
const INSTALL = `
  CREATE INDEX IF NOT EXISTS tsudoi_stream_by_sequence
    ON _stream_records (table_name, ${SEQUENCE});
  CREATE INDEX IF NOT EXISTS tsudoi_stream_by_shard
    ON _stream_records (table_name, shard_id, ${SEQUENCE});
  DROP TRIGGER IF EXISTS tsudoi_stream_trim;
  CREATE TRIGGER tsudoi_stream_trim AFTER UPDATE OF tags ON _tables BEGIN
    DELETE ${OF_TABLE} AND ${SEQUENCE} <= (
      SELECT min(
        CAST(json_extract(tag.value, '$.Value') AS INTEGER),
        (SELECT max(${SEQUENCE}) ${OF_TABLE}) - ${KEEP},
        (SELECT min(${SEQUENCE}) ${OF_TABLE}) + ${TRIM_MAX} - 1)
      FROM json_each(NEW.tags) AS tag WHERE json_extract(tag.value, '$.Key') = '${READ_TO}');
  END;
  PRAGMA application_id = ${MARK};
`;

/** Whether the file has indexes and trigger; costs one small read. False for a file that is missing. */
export async function hasTrim(file: string): Promise<boolean> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, MARK_OFFSET);
      return bytesRead === 4 && buffer.readUInt32BE() === MARK;
    } finally {
      await handle.close();
    }
  } catch {
    return false;
  }
}

/**
 * Adds indexes and trigger to a file that the database has made and that nobody has open (some 80 ms, most
 * of it to load SQLite). All or nothing; throws where the file is not what this version knows.
 */
export async function installTrim(file: string): Promise<void> {
  const { default: sqlite } = await import('node-sqlite3-wasm');
  // Its lock is a directory, which a crash leaves behind; the data directory is held by us alone.
  await rm(`${file}.lock`, { recursive: true, force: true });
  const database = new sqlite.Database(file, { fileMustExist: true });
  try {
    // The write-ahead log needs shared memory, which this build does not have, or no one beside us.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec(`BEGIN IMMEDIATE; ${INSTALL} COMMIT;`);
  } finally {
    // Also writes what the log holds into the file.
    database.close();
  }
}

export interface ReadPosition {
  readonly streamArn: string;
  /** The sequence number up to which every consumer of the stream has checkpointed. */
  readonly readTo: string;
}

/**
 * Returns the function that forgets what has been read. Call it after checkpoints, as often as you like: most
 * calls cost nothing. It never rejects: what a failed call has left, later ones take.
 */
export function createTrim({ client, log }: { client: DynamoDBClient; log: Log }) {
  const done = new Map<string, bigint>();

  return async function trim({ streamArn, readTo }: ReadPosition): Promise<void> {
    try {
      const position = BigInt(readTo);
      const last = done.get(streamArn);
      if (last !== undefined && position < last + BigInt(TRIM_EVERY)) return;
      done.set(streamArn, position);
      // arn:aws:dynamodb:region:account:table/name/stream/label
      const ResourceArn = streamArn.replace(/\/stream\/.*$/, '');
      // One more than it takes, in case an earlier run left some.
      const calls = last === undefined ? 1 : Number((position - last) / BigInt(TRIM_MAX)) + 1;
      for (let call = 0; call < calls; call++) {
        await client.send(new TagResourceCommand({ ResourceArn, Tags: [{ Key: READ_TO, Value: readTo }] }));
      }
    } catch (err) {
      log.warn({ err, streamArn }, "The embedded database's stream records were not trimmed.");
    }
  };
}
