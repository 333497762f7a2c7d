import {
  type DynamoDBStreamsClient,
  GetRecordsCommand,
  type GetRecordsOutput,
  GetShardIteratorCommand,
} from '@aws-sdk/client-dynamodb-streams';
import { type Clock, createWaker, sleep } from '../core/clock.ts';
import { backoffMs, CONSUMER_BACKOFF } from '../core/retry.ts';
import { TIMEOUTS } from '../dynamo/client.ts';
import type { Change } from './change.ts';
import { createHealth, type Log } from './log.ts';
import { changeOfRecord, type SdkRecord, streamLabel } from './records.ts';

/** When a shard is asked for records. Milliseconds. */
export interface Pacing {
  /** The first wait after an empty page; it doubles from page to page up to `idleMs`. */
  readonly busyMs: number;
  /** The longest wait, and so the longest delay of a change that nobody announces. */
  readonly idleMs: number;
  /** Between the starts of two polls at the least, even when woken, unless a full page says that there is more. */
  readonly spacingMs: number;
}

/** An emulator on the same machine answers a poll in about a millisecond. */
export const emulatorPacing: Pacing = { busyMs: 20, idleMs: 250, spacingMs: 0 };
/** AWS throttles a shard that is read more than a few times a second. */
export const awsPacing: Pacing = { busyMs: 200, idleMs: 250, spacingMs: 200 };

export interface ReaderOptions {
  readonly streams: DynamoDBStreamsClient;
  readonly streamArn: string;
  readonly shard: string;
  /** Start behind this sequence number; absent: with the oldest record there is. */
  readonly checkpoint: string | undefined;
  readonly pacing: Pacing;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when the changes are done with; only then the position moves. A rejection ends `run`. */
  readonly handle: (changes: readonly Change[], signal: AbortSignal) => Promise<void>;
  /** Records behind the checkpoint were trimmed: makes good what was missed, before reading goes on. */
  readonly repair: (signal: AbortSignal) => Promise<void>;
}

/** `ended`: the shard has no more records and never will. `gone`: the stream does not know it (any more). */
export type ReaderEnd = 'ended' | 'gone' | 'stopped';

export interface Reader {
  /** Reads until the shard ends or the signal is aborted; outages are waited out. Rejects as `handle` does. */
  run(signal: AbortSignal): Promise<ReaderEnd>;
  /** Polls at once; once more if a poll is under way. */
  wake(): void;
  /** Everything up to this sequence number has been handled. */
  readonly position: string | undefined;
  /** How many changes have been handled; what the consumer itself wrote does not count. */
  readonly changes: number;
  /** How many records have been read, of any kind. */
  readonly records: number;
  /** On the reader's clock. */
  readonly polledAt: number | undefined;
  readonly reachable: boolean;
  /** When the oldest change that was read but is not done yet happened (milliseconds since 1970). */
  readonly behindSince: number | undefined;
}

const PAGE = 1_000;
/** DynamoDB Local can answer the first read of a shard with this error; a fresh iterator mends that. */
const TRIMMED_ATTEMPTS = 3;

export function createReader(options: ReaderOptions): Reader {
  const { streams, streamArn, shard, pacing, clock, handle, repair } = options;
  const stream = streamLabel(streamArn);
  const waker = createWaker(clock);
  const reach = createHealth(options.log, 'The stream', { shard });
  let position = options.checkpoint;
  let iterator: string | undefined;
  let failures = 0;
  let trimmed = 0;
  let changes = 0;
  let records = 0;
  let polledAt: number | undefined;
  let behindSince: number | undefined;

  const deadline = () => ({ abortSignal: AbortSignal.timeout(TIMEOUTS.callMs) });

  async function openIterator(): Promise<string | undefined> {
    const start =
      position === undefined
        ? { ShardIteratorType: 'TRIM_HORIZON' as const }
        : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER' as const, SequenceNumber: position };
    const command = new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shard, ...start });
    return (await streams.send(command, deadline())).ShardIterator;
  }

  /** The next page; undefined where there was none to have and the waiting for a better time is done. */
  async function poll(signal: AbortSignal): Promise<GetRecordsOutput | 'gone' | undefined> {
    try {
      // The position is the truth; an iterator only saves a round trip and is not kept after a failure.
      iterator ??= await openIterator();
      waker.clear();
      polledAt = clock.now();
      const command = new GetRecordsCommand({ ShardIterator: iterator, Limit: PAGE });
      const page = await streams.send(command, deadline());
      iterator = page.NextShardIterator;
      failures = 0;
      trimmed = 0;
      reach.worked();
      return page;
    } catch (error) {
      iterator = undefined;
      const name = error instanceof Error ? error.name : '';
      if (name === 'ResourceNotFoundException') return 'gone';
      if (name === 'TrimmedDataAccessException') {
        if (++trimmed >= TRIMMED_ATTEMPTS) {
          await repair(signal);
          if (signal.aborted) return undefined;
          trimmed = 0;
          position = undefined;
        }
      } else if (name !== 'ExpiredIteratorException') {
        // An iterator lives for 15 minutes. Whatever else it is, there is nothing better to do than to ask
        // again, and to say so once.
        reach.failed(error);
      }
      await sleep(clock, backoffMs(CONSUMER_BACKOFF, ++failures), signal);
      return undefined;
    }
  }

  /** Hands on what the page says, and moves the position behind it. */
  async function take(read: readonly SdkRecord[], signal: AbortSignal): Promise<number> {
    const news = read.flatMap((record) => changeOfRecord(record, stream, shard) ?? []);
    if (news.length > 0) {
      behindSince = read[0]?.dynamodb?.ApproximateCreationDateTime?.getTime();
      await handle(news, signal);
    }
    records += read.length;
    changes += news.length;
    position = read.at(-1)?.dynamodb?.SequenceNumber ?? position;
    if (read.length < PAGE) behindSince = undefined;
    return news.length;
  }

  async function run(signal: AbortSignal): Promise<ReaderEnd> {
    signal.addEventListener('abort', waker.wake, { once: true });
    for (let emptyMs = pacing.busyMs; !signal.aborted; ) {
      const page = await poll(signal);
      if (page === 'gone') return 'gone';
      if (page === undefined || signal.aborted) continue;

      const read = page.Records ?? [];
      const news = await take(read, signal);
      if (iterator === undefined) return 'ended';
      if (read.length >= PAGE) continue;

      // A page that had only the consumer's own records leaves it as idle as an empty one.
      const woken = news === 0 && (await waker.wait(emptyMs));
      emptyMs = news > 0 || woken ? pacing.busyMs : Math.min(pacing.idleMs, emptyMs * 2);
      const early = (polledAt ?? 0) + pacing.spacingMs - clock.now();
      if (early > 0) await sleep(clock, early, signal);
    }
    return 'stopped';
  }

  return {
    run,
    wake: waker.wake,
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
      return reach.good;
    },
    get behindSince() {
      return behindSince;
    },
  };
}
