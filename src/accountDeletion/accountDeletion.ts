import type { Publisher } from '../bus/publisher.ts';
import { accountDeleted, badUserInput, notFound, StartError, TsudoiError } from '../core/errors.ts';
import { secondsOf, type Timestamp, type Timestamps } from '../core/timestamps.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keys } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import { encodeId } from '../graphql/ids.ts';
import { isOpen, jobOf } from '../jobs/job.ts';
import { createJobs, newJob } from '../jobs/jobs.ts';
import { createTableReader } from '../jobs/tableReader.ts';
import { createRevocations } from '../revocations/revocations.ts';
import { KNOWN_MS } from '../users/arrivals.ts';
import { formerProfileWrites, reopenedProfileWrite } from '../users/formerUser.ts';
import type { ProfileCache } from '../users/profileCache.ts';
import { normalizedHandle, type User, userOf } from '../users/user.ts';
import { accountJobId, createAccountJob, FIRST_PHASE, isBrief } from './deletionJob.ts';
import type { AboutAccount } from './forgetting.ts';

export interface AccountDeletionOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  readonly timestamps: Timestamps;
  /** Absent: no server is running in this process. */
  readonly profileCache?: Pick<ProfileCache, 'changed'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** How long a request leaves rooms itself. The job leaves the others. */
const REQUEST_MS = 2_000;
/**
 * How long the user's tokens are refused by a revocation, which closes their connections on every server. Longer than a
 * server remembers that it knows a user: after that, it reads the profile, which says that the account was deleted.
 */
const REVOKED_S = (2 * KNOWN_MS) / 1_000;

export interface Deletion {
  /** Whether messages lose their text. Otherwise they stay under a former member. */
  readonly eraseMessages: boolean;
  /** What the user typed: their handle or id. Absent: an operator deletes the account. */
  readonly confirm?: string;
}

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;

/**
 * Deletes accounts. One transaction empties the profile, revokes the user's tokens, and stores the job that deletes
 * what the account held.
 */
export function createAccountDeletion({ profileCache, ...options }: AccountDeletionOptions) {
  const { dynamo, timestamps, now } = options;
  // This process runs only the phases that do not read the table.
  const job = createAccountJob({ ...options, table: createTableReader(options) });
  const jobs = createJobs({ dynamo, now });
  const revocations = createRevocations({ dynamo, now });

  /**
   * When it resolves, the profile is empty and the handle is released. Two reads, one transaction, and for up to
   * REQUEST_MS the first steps of the job, so that most users have left all of their rooms. Resolves to the id of the
   * job. Throws NOT_FOUND, ACCOUNT_DELETED, and BAD_USER_INPUT if it is not confirmed.
   */
  async function remove(user: string, { eraseMessages, confirm }: Deletion): Promise<string> {
    const about: AboutAccount = { user, eraseMessages };
    const id = await dynamo.optimistic(async () => {
      const { profile, deletedAt } = await load(user);
      if (deletedAt !== undefined) throw accountDeleted();
      if (confirm !== undefined && !isConfirmed(profile, confirm)) {
        throw badUserInput('input.confirm', '`input.confirm` must be your own handle or id.');
      }
      const at = timestamps.next();
      const { writes } = await revocations.prepare({ user }, secondsOf(now()) + REVOKED_S);
      const newId = accountJobId(user, at);
      const failed = await dynamo.tryTransact({
        ...formerProfileWrites(profile, at, now()),
        ...writes,
        job: newJob({ id: newId, kind: job.name, about, cursor: FIRST_PHASE }),
      });
      return failed === undefined ? newId : AGAIN;
    });
    await profileCache?.changed(user);
    await runBriefPhases(about);
    return id;
  }

  /**
   * For an operator: deletes the account, or once more what it held if it is deleted already. Resolves to the id of the
   * job. Throws as `removeAgain`, also if someone else deletes the account at the same moment.
   */
  async function removeOrAgain(user: string, eraseMessages: boolean): Promise<string> {
    try {
      return await remove(user, { eraseMessages });
    } catch (error) {
      if (!(error instanceof TsudoiError && error.code === 'ACCOUNT_DELETED')) throw error;
      return removeAgain(user, eraseMessages);
    }
  }

  async function runBriefPhases(about: AboutAccount): Promise<void> {
    const until = performance.now() + REQUEST_MS;
    try {
      for (let cursor = FIRST_PHASE as string; isBrief(cursor) && performance.now() < until; ) {
        const next = await job.step(about, cursor);
        if (typeof next !== 'string') return;
        cursor = next;
      }
    } catch {
      // The account is deleted. The job repeats the step, and its failures are logged.
    }
  }

  /**
   * Deletes once more what a deleted account held. Resolves to the id of the job. Throws NOT_FOUND if the account is
   * not deleted, and StartError while the job runs.
   */
  async function removeAgain(user: string, eraseMessages: boolean): Promise<string> {
    const { id } = await loadEnded(user);
    const again = { id, kind: job.name, about: { user, eraseMessages }, cursor: FIRST_PHASE };
    await jobs.add(again, { evenCancelled: true });
    return id;
  }

  /**
   * Lets the user sign in again, as a new user with the old id. Servers accept their next token within 30 seconds.
   * Throws as `removeAgain`: the job would delete what the user has from now on.
   */
  const reopen = (user: string): Promise<void> =>
    dynamo.optimistic(async () => {
      const { id, deletedAt } = await loadEnded(user);
      const failed = await dynamo.tryTransact({
        profile: reopenedProfileWrite(user, deletedAt),
        job: { check: keys.job(id), condition: 'attribute_not_exists(pk) OR attribute_exists(finishedAt)' },
      });
      return failed === undefined ? undefined : AGAIN;
    });

  async function loadEnded(user: string) {
    const { deletedAt } = await load(user);
    if (deletedAt === undefined) throw notFound();
    const id = accountJobId(user, deletedAt);
    const stored = await dynamo.get(keys.job(id));
    if (stored !== undefined && isOpen(jobOf({ id }, stored))) {
      throw new StartError(`The job ${id} still deletes what the account held. Try again when it has ended.`);
    }
    return { id, deletedAt };
  }

  async function load(user: string): Promise<{ profile: User; deletedAt: Timestamp | undefined }> {
    const item = await dynamo.get(keys.user(user));
    if (item === undefined) throw notFound();
    const profile = userOf(user, item);
    return { profile, deletedAt: profile.deletedAt };
  }

  return { remove, removeOrAgain, reopen };
}

const isConfirmed = ({ id, handle }: User, confirm: string): boolean => {
  const typed = confirm.trim();
  return (
    typed === encodeId('User', id) ||
    (handle !== null && normalizedHandle(typed.replace(/^@/, '')) === handle)
  );
};
