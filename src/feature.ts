import type { JobKind } from './jobs/jobs.ts';
import type { PersonJobKind } from './jobs/personJobs.ts';
import type { Visitor } from './rebuild/rebuild.ts';
import type { Change, StreamHandler } from './stream/change.ts';
import type { TimerKind } from './timers/timer.ts';
import type { Counter } from './verify/counter.ts';

/**
 * What a feature does apart from its services and its GraphQL schema. `app/features.ts` is the list of all. `Needs` is
 * what `derive` gets: the parts of `DerivationOptions` there that this feature uses.
 */
export interface Feature<Needs = object> {
  /** The numbers that its items store. `verify` counts them again. */
  readonly counters?: readonly Counter[];
  /**
   * Whether its handlers do something when a message changes this counter of a room. Otherwise they are late by a poll
   * of the stream. Needed if a handler takes counters.
   */
  readonly followsCounter?: (counter: NonNullable<Change['new']>) => boolean;
  /** Called once per process that reads the stream, and once per rebuild in other processes. */
  readonly derive?: (needs: Needs) => Derivation;
}

/** What a feature derives from the table. */
export interface Derivation {
  /** Their names are stored in dead letters. */
  readonly handlers?: readonly StreamHandler[];
  /** Its work in the background. The names of the kinds are stored with each job. */
  readonly jobKinds?: ReadonlyArray<JobKind | PersonJobKind>;
  /** What it does at a time. The names of the kinds are stored with each timer. */
  readonly timerKinds?: readonly TimerKind[];
  /**
   * Starts work that an earlier release left. Called when a process begins to handle timers, and once a minute, so it
   * must be cheap if there is none.
   */
  readonly upkeep?: () => Promise<unknown>;
  /** Does what its handlers have put off (`putOffMs`). Called after the consumer has stopped. */
  readonly finish?: () => Promise<unknown>;
  /** Restores what the handlers would have derived. Called for each rebuild, because a visitor has state. */
  readonly createVisitor?: () => Visitor;
}
