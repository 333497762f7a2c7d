import type { Bus } from '../../../bus/bus.ts';
import { type Clock, systemClock } from '../../../core/clock.ts';
import { notFound } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { ConsistentLoader } from '../../../dynamo/itemLoader.ts';
import { keys } from '../../../dynamo/keys.ts';
import { isOpen, type Job, jobOf } from '../../../jobs/job.ts';
import type { LivePart } from '../../../live/resync.ts';
import { createSubscription, type Subscription } from '../../../live/subscription.ts';
import { type JobUpdate, jobsTopic } from './update.ts';

export interface JobStreamsOptions {
  readonly items: ConsistentLoader;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock?: Clock;
}

export type JobStreams = ReturnType<typeof createJobStreams>;

/** A job takes several steps a second. Its reader is sent the newest of them. */
const EVERY_MS = 1_000;

interface JobSubscription extends Subscription<Job> {
  receive(update: JobUpdate): void;
  /** Updates may have been missed: the job is read again. */
  check(): void;
}

interface Source {
  readonly first: Job;
  /** Undefined if there is no such job any more. Rejects if the database is down. */
  read(): Promise<Job | undefined>;
  readonly clock: Clock;
  /** Called when a read has failed. It is repeated. */
  readonly onTrouble: (error: unknown) => void;
  readonly onClose: () => void;
}

/** One job as it advances: its state now, then the newest state at most once a second, and the end. */
function createJobSubscription({ first, read, clock, onTrouble, onClose }: Source): JobSubscription {
  let ready: Job | undefined = first;
  let known = first.version;
  /** There may be a newer version than `known`. */
  let isBehind = false;
  let hasEnded = false;
  let sentAt = Number.NEGATIVE_INFINITY;
  const waitMs = () => Math.max(0, sentAt + EVERY_MS - clock.now());

  async function advance(): Promise<void> {
    isBehind = false;
    const job = await read();
    if (job === undefined) return subscription.close();
    if (job.version <= known) return;
    known = job.version;
    ready = job;
  }

  const subscription = createSubscription<Job>(
    {
      take() {
        if (hasEnded) subscription.close();
        const job = ready;
        if (job === undefined) return undefined;
        ready = undefined;
        sentAt = clock.now();
        hasEnded = !isOpen(job);
        return job;
      },
      work: () => (isBehind && waitMs() === 0 ? advance() : undefined),
      readyIn: () => (isBehind ? waitMs() : undefined),
      retryAfter(error) {
        onTrouble(error);
        isBehind = true;
        return true;
      },
      close: onClose,
    },
    { clock },
  );

  function check(): void {
    isBehind = true;
    subscription.wake();
  }

  return Object.assign(subscription, {
    receive({ version }: JobUpdate) {
      if (version > known) check();
    },
    check,
  });
}

/** The subscriptions on this server to users' jobs. */
export function createJobStreams({ items, bus, log, clock = systemClock }: JobStreamsOptions) {
  const open = new Set<JobSubscription>();

  /** Attached first, then read: no change is lost. Throws NOT_FOUND if the user has no such job. */
  async function subscribe(user: string, id: string): Promise<AsyncIterableIterator<Job>> {
    const read = async () => {
      const item = await items.load(keys.personJob(user, id));
      return item === undefined ? undefined : jobOf({ user, id }, item);
    };
    let subscription: JobSubscription | undefined;
    /** One may arrive before the job was read. */
    let isNews = false;
    const stop = await bus.subscribe(jobsTopic(user), (update) => {
      if (update.id !== id) return;
      isNews = true;
      subscription?.receive(update);
    });
    try {
      const first = await read();
      if (first === undefined) throw notFound();
      const opened: JobSubscription = createJobSubscription({
        first,
        read,
        clock,
        onTrouble: (err) => log.warn({ err }, 'A job could not be read. Trying again in a moment.'),
        onClose: () => void open.delete(opened),
      });
      opened.hold(stop);
      subscription = opened;
      open.add(opened);
      if (isNews) opened.check();
      return opened.events;
    } catch (error) {
      stop();
      throw error;
    }
  }

  const part: LivePart = {
    name: 'jobs',
    resync() {
      for (const subscription of open) subscription.check();
    },
    async compare() {
      for (const subscription of open) subscription.check();
    },
    stop() {
      for (const subscription of open) subscription.close();
    },
  };

  return { ...part, subscribe };
}
