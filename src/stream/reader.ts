import { type Clock, sleep } from '../core/clock.ts';
import type { OutageLog } from '../core/log.ts';
import { backoffMs, CONSUMER_BACKOFF } from '../core/retry.ts';
import { createWakeSignal } from '../core/signal.ts';
import type { StreamRecord, Streams } from '../dynamo/transport/streams.ts';
import type { Change } from './change.ts';
import { retriedHealth } from './log.ts';
import { changeOfRecord, streamLabel } from './records.ts';

/** When a shard is polled for records. Milliseconds. */
export interface Pacing {
  /**
   * From the start of a poll to the next one if more changes are expected soon: the page had changes that no one has
   * announced, or none although some were announced.
   */
  readonly busyMs: number;
  /** The wait in all other cases, and so the longest delay of a change that no one announces. */
  readonly idleMs: number;
  /** The shortest time between the starts of two polls, even when woken. A full page is followed at once. */
  readonly spacingMs: number;
  /** The same for a group that catches up, after a full page as well. */
  readonly catchUpMs: number;
}

/** An emulator on the same machine responds to a poll in about a millisecond. */
export const emulatorPacing: Pacing = { busyMs: 20, idleMs: 250, spacingMs: 0, catchUpMs: 0 };
/**
 * AWS throttles a shard that is polled more than five times a second. Four are the core group's when it is idle,
 * one is left for a group that catches up: 1,000 records a second.
 */
export const awsPacing: Pacing = { busyMs: 200, idleMs: 250, spacingMs: 200, catchUpMs: 1_000 };

/** What one poll has read, for the groups that do not poll themselves. */
export interface Page {
  readonly changes: readonly Change[];
  /** The sequence number of its last record. */
  readonly end: string;
  /** When its oldest record was written (milliseconds since 1970). */
  readonly since: number | undefined;
}

export interface ReaderOptions {
  readonly streams: Streams;
  readonly streamArn: string;
  readonly shard: string;
  /** Start after this sequence number; absent: with the oldest record there is. */
  readonly checkpoint: string | undefined;
  readonly pacing: Pacing;
  /** Keeps the spacing after a full page, too. */
  readonly keepSpacing?: boolean;
  /** What a record becomes; undefined: it is passed over. Default: what handlers derive from. */
  readonly changeOf?: (record: StreamRecord, stream: string, shard: string) => Change | undefined;
  readonly clock: Clock;
  readonly log: OutageLog;
  /** Resolves when the changes are handled; only then the position moves. A rejection ends `run`. */
  readonly handle: (changes: readonly Change[], signal: AbortSignal) => Promise<void>;
  /** Called if records after the checkpoint were trimmed. Rebuilds their results before reading continues. */
  readonly onTrimmed: (signal: AbortSignal) => Promise<void>;
  /** Called with each page that has records, before it is handled. */
  readonly onPage?: (page: Page) => void;
  /** Called before reading starts again after records were trimmed: the next page does not follow the last one. */
  readonly onGap?: () => void;
}

/** `ended`: the shard has no more records and never will. `gone`: the stream does not know the shard (any more). */
export type ReaderEnd = 'ended' | 'gone' | 'stopped';

export interface Reader {
  /**
   * Reads until the shard ends, the signal is aborted or `enough` returns true, which is asked before each poll.
   * Waits for outages to end. Rejects as `handle` does.
   */
  run(signal: AbortSignal, enough?: () => boolean): Promise<ReaderEnd>;
  /** Polls at once; once more if a poll is running. */
  wake(): void;
  /** Says that there are this many changes which no one waits for: the next poll may have them. */
  expect(changes: number): void;
  /** Everything up to this sequence number has been handled. */
  readonly position: string | undefined;
  /** How many changes have been handled. What the consumer itself wrote does not count. */
  readonly changes: number;
  /** How many records have been read, of any kind. */
  readonly records: number;
  /** On the reader's clock. */
  readonly polledAt: number | undefined;
  readonly reachable: boolean;
  /** When the oldest change happened that was read but is not handled yet (milliseconds since 1970). */
  readonly behindSince: number | undefined;
}

const PAGE = 1_000;
/** DynamoDB Local can fail the first read of a shard with this error; a fresh iterator fixes that. */
const TRIMMED_ATTEMPTS = 3;

export function createReader(options: ReaderOptions): Reader {
  const { streams, streamArn, shard, pacing, clock, handle, onTrimmed, onPage, onGap } = options;
  const { keepSpacing = false, changeOf = changeOfRecord } = options;
  const stream = streamLabel(streamArn);
  const wakeSignal = createWakeSignal(clock);
  const health = retriedHealth(options.log, 'The stream', { shard });
  let position = options.checkpoint;
  let iterator: string | undefined;
  let failures = 0;
  let trimmed = 0;
  let expected = 0;
  let changes = 0;
  let records = 0;
  let polledAt: number | undefined;
  let behindSince: number | undefined;

  async function openIterator(): Promise<string | undefined> {
    const start =
      position === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' as const }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: position };
    const input = { StreamArn: streamArn, ShardId: shard, ...start };
    return (await streams.send('GetShardIterator', input)).ShardIterator;
  }

  /** The next page; undefined after a failure, when its backoff is over. */
  async function poll(signal: AbortSignal): Promise<readonly StreamRecord[] | 'gone' | undefined> {
    try {
      // The position decides. An iterator only saves a round trip and is dropped after a failure.
      iterator ??= await openIterator();
      wakeSignal.clear();
      expected = 0;
      polledAt = clock.now();
      // Without an iterator, DynamoDB refuses the request as it does for an iterator that is not valid.
      const input = { ShardIterator: iterator ?? '', Limit: PAGE };
      const { Records = [], NextShardIterator } = await streams.send('GetRecords', input);
      iterator = NextShardIterator;
      failures = 0;
      trimmed = 0;
      health.worked();
      return Records;
    } catch (error) {
      iterator = undefined;
      const name = error instanceof Error ? error.name : '';
      if (name === 'ResourceNotFoundException') return 'gone';
      if (name === 'TrimmedDataAccessException') {
        if (++trimmed >= TRIMMED_ATTEMPTS) {
          await onTrimmed(signal);
          if (signal.aborted) return undefined;
          trimmed = 0;
          position = undefined;
          onGap?.();
        }
      } else if (name !== 'ExpiredIteratorException') {
        // An iterator expires after 15 minutes. For any other error, all that helps is to ask again.
        health.failed(error);
      }
      await sleep(clock, backoffMs(CONSUMER_BACKOFF, ++failures), signal);
      return undefined;
    }
  }

  /** Has the page's changes handled, and moves the position after them. */
  async function take(read: readonly StreamRecord[], signal: AbortSignal): Promise<number> {
    const found = read.flatMap((record) => changeOf(record, stream, shard) ?? []);
    const since = millisecondsOf(read[0]);
    const end = read.at(-1)?.dynamodb?.SequenceNumber;
    if (end !== undefined) onPage?.({ changes: found, end, since });
    if (found.length > 0) {
      behindSince = since;
      await handle(found, signal);
    }
    records += read.length;
    changes += found.length;
    position = end ?? position;
    if (read.length < PAGE) behindSince = undefined;
    return found.length;
  }

  async function run(signal: AbortSignal, enough = () => false): Promise<ReaderEnd> {
    signal.addEventListener('abort', wakeSignal.wake, { once: true });
    try {
      return await readPages(signal, enough);
    } finally {
      signal.removeEventListener('abort', wakeSignal.wake);
    }
  }

  async function readPages(signal: AbortSignal, enough: () => boolean): Promise<ReaderEnd> {
    // Undefined: no one knows whether the first page is all there is.
    for (let woken: boolean | undefined; !signal.aborted && !enough(); ) {
      const unawaited = expected;
      const read = await poll(signal);
      if (read === 'gone') return 'gone';
      if (read === undefined || signal.aborted) continue;

      const found = await take(read, signal);
      if (iterator === undefined) return 'ended';
      if (read.length >= PAGE && !keepSpacing) continue;

      // Writers wake the reader, and so do handlers that have written something. So a page that came after a wake and
      // has changes is probably all there is. Changes that no one has announced come with others, and what was
      // announced and is not there yet comes soon. A page counts as one without changes if it had only leases and
      // checkpoints, or no more than what no one waits for.
      const isBusy = read.length >= PAGE || woken !== found > unawaited;
      const next = isBusy ? (polledAt ?? 0) + pacing.busyMs - clock.now() : pacing.idleMs;
      woken = await wakeSignal.wait(Math.max(0, next));
      const early = (polledAt ?? 0) + pacing.spacingMs - clock.now();
      if (early > 0) await sleep(clock, early, signal);
    }
    return 'stopped';
  }

  return {
    run,
    wake: wakeSignal.wake,
    expect(more) {
      expected += more;
    },
    get position() {
      return position;
    },
    get changes() {
      return changes;
    },
    get records() {
      return records;
    },
    get polledAt() {
      return polledAt;
    },
    get reachable() {
      return health.good;
    },
    get behindSince() {
      return behindSince;
    },
  };
}

/** When the record was written, in milliseconds since 1970. */
function millisecondsOf(record: StreamRecord | undefined): number | undefined {
  const at = record?.dynamodb?.ApproximateCreationDateTime;
  return at === undefined ? undefined : at * 1_000;
}
