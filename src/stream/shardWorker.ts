import { type Clock, sleep } from './clock.ts';
import { DispatchStopped } from './dispatcher.ts';
import { type Lease, LeaseLost } from './leases.ts';
import { createHealth, type Log } from './log.ts';
import type { Reader, ReaderEnd } from './reader.ts';

export interface ShardWorkerOptions {
  readonly lease: Lease;
  /** What is done under the lease, up to its end or until the signal is aborted. */
  readonly work: (signal: AbortSignal) => Promise<ReaderEnd>;
  /** How far the work got. Absent: work that is all or nothing. */
  readonly reader?: Pick<Reader, 'position' | 'changes'>;
  /** The longest time between two writes of the lease. */
  readonly renewMs: number;
  /** The shortest: a busy shard's checkpoint is at most this old. */
  readonly saveMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** `failed`: the work threw something; the log has it, and the shard is anybody's again. */
export type WorkerEnd = ReaderEnd | 'lost' | 'failed';

/**
 * Works on one shard for as long as its lease is ours, and keeps the lease meanwhile: a write a second
 * while changes are handled, one every `renewMs` otherwise, each with the position reached. The moment the
 * lease turns out to be lost the work is told to stop. Never rejects.
 */
export async function runShardWorker(options: ShardWorkerOptions, stop: AbortSignal): Promise<WorkerEnd> {
  const { lease, work, reader, renewMs, saveMs, clock } = options;
  const log = options.log;
  const { shard } = lease;
  const kept = createHealth(log, 'The lease table', { shard });
  const working = new AbortController();
  const keeping = new AbortController();
  const halt = () => working.abort();
  stop.addEventListener('abort', halt, { once: true });
  if (stop.aborted) halt();
  let lost = false;

  async function keep(): Promise<void> {
    let savedAt = clock.now();
    let savedChanges = 0;
    for (;;) {
      await sleep(clock, saveMs, keeping.signal);
      if (keeping.signal.aborted) return;
      const changes = reader?.changes ?? 0;
      if (changes === savedChanges && clock.now() - savedAt < renewMs) continue;
      try {
        await lease.renew(reader?.position);
        savedAt = clock.now();
        savedChanges = changes;
        kept.worked();
      } catch (error) {
        if (error instanceof LeaseLost) {
          lost = true;
          halt();
          return;
        }
        kept.failed(error);
      }
    }
  }

  async function done(): Promise<ReaderEnd | 'failed'> {
    try {
      return await work(working.signal);
    } catch (error) {
      if (error instanceof DispatchStopped) return 'stopped';
      log.error({ shard, err: error }, 'Work on a shard failed');
      return 'failed';
    }
  }

  const keeper = keep();
  const end = await done();
  keeping.abort();
  await keeper;
  stop.removeEventListener('abort', halt);
  if (lost) {
    log.warn({ shard }, 'A lease was lost to another consumer');
    return 'lost';
  }
  try {
    if (end === 'ended') await lease.finish(reader?.position);
    else await lease.release(reader?.position);
  } catch (error) {
    // Not told in time, or no longer ours: it will be found stale, or is in good hands.
    log.warn({ shard, err: error }, 'A lease could not be given back');
  }
  return end;
}
