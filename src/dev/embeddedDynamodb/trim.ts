/**
 * Deletes the embedded database's stream records after they were read. DynamoDB deletes them after 24 hours. The
 * embedded database never does, and reads all of them on every write and every poll: with 200,000 records a put takes
 * 130 ms instead of 2.
 *
 * Its file is SQLite, so this adds what is missing, once, while no process has the file open:
 *  - Two indexes for the queries of writes and polls.
 *  - A trigger that deletes records when the table is tagged with the position up to which its stream was read. The
 *    tag is set through DynamoDB's own API (`TagResource`), so records are deleted while the database runs: about
 *    30 ms for 4,000 records, without a pause, and no request fails.
 *
 * Records that were not read are kept, however old they are: a server that was off for a week continues there.
 */
import { open, rm } from 'node:fs/promises';
import { type DynamoDBClient, TagResourceCommand } from '@aws-sdk/client-dynamodb';
import type { Log } from './database.ts';
import { loadSqlite, removeLock } from './sqlite.ts';

/** How many of the newest records are kept although they were read, because numbering continues from the newest one. */
export const RECORDS_KEPT = 10_000;
/** The most records that one request deletes, so that other requests do not wait long. */
const TRIM_MAX = 4_000;
/** A request is sent only after this many more records were read. */
const TRIM_EVERY = 2_000;
const READ_TO = 'tsudoi:stream-read-to';

/** SQLite's `application_id`, at a fixed offset in the file's header. Change it if you change the SQL below. */
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
        (SELECT max(${SEQUENCE}) ${OF_TABLE}) - ${RECORDS_KEPT},
        (SELECT min(${SEQUENCE}) ${OF_TABLE}) + ${TRIM_MAX} - 1)
      FROM json_each(NEW.tags) AS tag WHERE json_extract(tag.value, '$.Key') = '${READ_TO}');
  END;
  PRAGMA application_id = ${MARK};
`;

/** Whether the file has the indexes and the trigger. One small read. False if there is no file. */
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
 * Adds the indexes and the trigger to a file that the database has created and that no process has open. About
 * 80 ms, mostly for loading SQLite. All or nothing. Throws if the file does not have the form that this version knows.
 */
export async function installTrim(file: string): Promise<void> {
  const sqlite = await loadSqlite();
  await removeLock(file);
  const database = new sqlite.Database(file, { fileMustExist: true });
  try {
    // The write-ahead log needs shared memory, which this build does not have, or an exclusive lock.
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    database.exec(`BEGIN IMMEDIATE; ${INSTALL} COMMIT;`);
  } finally {
    // Also writes the log's content into the file.
    database.close();
  }
  // The index of the log that is gone now.
  await rm(`${file}-shm`, { force: true });
}

export interface StreamCheckpoint {
  readonly streamArn: string;
  /** The sequence number up to which all consumers of the stream have a checkpoint. */
  readonly checkpoint: string;
}

/**
 * Returns the function that deletes read records. To be called after checkpoints. Most calls do nothing. It never
 * rejects: later calls delete what a failed one has left.
 */
export function createTrim({ client, log }: { client: DynamoDBClient; log: Log }) {
  const done = new Map<string, bigint>();

  return async function trim({ streamArn, checkpoint }: StreamCheckpoint): Promise<void> {
    try {
      const position = BigInt(checkpoint);
      const last = done.get(streamArn);
      if (last !== undefined && position < last + BigInt(TRIM_EVERY)) return;
      done.set(streamArn, position);
      // arn:aws:dynamodb:region:account:table/name/stream/label
      const ResourceArn = streamArn.replace(/\/stream\/.*$/, '');
      // One more than needed, in case an earlier run left some records.
      const calls = last === undefined ? 1 : Number((position - last) / BigInt(TRIM_MAX)) + 1;
      for (let call = 0; call < calls; call++) {
        await client.send(
          new TagResourceCommand({ ResourceArn, Tags: [{ Key: READ_TO, Value: checkpoint }] }),
        );
      }
    } catch (err) {
      log.warn({ err, streamArn }, "The embedded database's stream records were not deleted.");
    }
  };
}
