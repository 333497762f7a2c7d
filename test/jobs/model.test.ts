/**
 * Jobs under crashes, two processes at once, and people who pause and cancel: they end as if they had run in one go.
 */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { isOpen, type JobRef } from '../../src/jobs/job.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createPersonJobs } from '../../src/jobs/personJobs.ts';
import { createJobRunner } from '../../src/jobs/runner.ts';
import type { Timer } from '../../src/timers/timer.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { Killed, killedAt, killedWhen } from '../support/database/killedAt.ts';
import { budget } from '../support/run/budget.ts';
import { openTimers } from '../timers/support/timers.ts';
import { markKind, marksOf, sweepKind } from './support/marking.ts';
import { storedJob } from './support/steps.ts';

const opened = openTestDynamo({ file: true });
afterAll(async () => (await opened).stop());

const process = fc.record({
  /** Undefined: it is not killed. */
  kill: fc.option(fc.record({ writes: fc.integer({ min: 1, max: 4 }), when: killedWhen }), {
    nil: undefined,
  }),
  /** How many steps it runs before it gives its place to another one. */
  steps: fc.integer({ min: 1, max: 3 }),
});
const act = fc.record({ what: fc.constantFrom('pause', 'resume', 'cancel'), job: fc.nat({ max: 3 }) });
const round = fc.record({
  /** Several have read the same timer: one of them was suspended, and is awake again. */
  processes: fc.array(process, { minLength: 1, maxLength: 2 }),
  timer: fc.nat({ max: 3 }),
  /** While they run. */
  act: fc.option(act, { nil: undefined, freq: 3 }),
});
type Process = {
  readonly kill?: { readonly writes: number; readonly when: 'before' | 'after' } | undefined;
  readonly steps: number;
};

const { numRuns, timeout, within } = budget({ runs: 60, seconds: 5 });

test(
  'jobs: end as if each had run in one go; one that was cancelled writes nothing from then on',
  async () => {
    const { dynamo } = await opened;
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { maxLength: 25 }),
        within(async (rounds) => {
          let time = 1_000;
          const now = () => ++time;
          const user = newId();
          const persons = createPersonJobs({ dynamo, now });
          const control = createJobControl({ dynamo, now });
          const refs: JobRef[] = [];
          const lists = Array.from({ length: 4 }, () => newId());
          const about = (n: number) => ({ list: lists[n] ?? '', rows: 4 + n, each: 2 });
          for (const n of [0, 1, 2]) {
            refs.push(await persons.add(user, { kind: 'mark', about: about(n), total: about(n).rows }));
          }
          const system = { id: newId() };
          refs.push(system);
          await createJobs({ dynamo, now }).add({ ...system, kind: 'sweep', about: about(3), cursor: '0' });
          const atCancel = new Map<string, readonly number[]>();

          async function handle(one: Timer, { kill, steps }: Process): Promise<void> {
            const own = kill === undefined ? dynamo : killedAt(dynamo, kill);
            let left = steps;
            const run = { shouldYield: () => --left <= 0, also: [], add() {} };
            const kinds = createJobRunner({ dynamo: own, kinds: [markKind(), sweepKind(own)], now });
            try {
              await kinds.find(({ name }) => name === one.kind)?.handle(one, run);
              await own.remove(keys.timer(one.due, one.id));
            } catch (error) {
              if (!(error instanceof Killed)) throw error;
            }
          }

          async function perform({
            what,
            job,
          }: {
            readonly what: string;
            readonly job: number;
          }): Promise<void> {
            const ref = refs[job];
            if (ref === undefined || (await control.find(ref)) === undefined) return;
            if (what === 'pause') await control.pause(ref).catch(ignoreDone(ref));
            else if (what === 'resume') await control.resume(ref).catch(ignoreDone(ref));
            else {
              const after = await control.cancel(ref).catch(ignoreDone(ref));
              if (after?.state === 'CANCELLED' && ref.user !== undefined && !atCancel.has(ref.id)) {
                atCancel.set(ref.id, await marksOf(dynamo, lists[job] ?? ''));
              }
            }
          }
          /** The system's job may be done, and so deleted, at this moment. */
          const ignoreDone = (ref: JobRef) => (error: unknown) => {
            if (ref.user !== undefined) throw error;
            return undefined;
          };

          for (const one of rounds) {
            const open = await openTimers(dynamo);
            const due = open[one.timer % Math.max(1, open.length)];
            await Promise.all([
              ...(due === undefined ? [] : one.processes.map((each) => handle(due, each as Process))),
              ...(one.act === undefined ? [] : [perform(one.act)]),
            ]);
          }
          for (const ref of refs) if ((await control.find(ref)) !== undefined) await control.resume(ref);
          for (let open = await openTimers(dynamo); open.length > 0; open = await openTimers(dynamo)) {
            for (const one of open) await handle(one, { steps: 2 });
          }

          for (const [n, ref] of refs.entries()) {
            const job = await storedJob(dynamo, ref);
            const marks = await marksOf(dynamo, lists[n] ?? '');
            const whole = Array.from({ length: about(n).rows }, () => 1);
            if (job?.state === 'CANCELLED') {
              // A step of the system's that ran when it was cancelled is finished.
              if (ref.user !== undefined)
                expect([marks, marks.length]).toEqual([atCancel.get(ref.id), job.done]);
              expect(marks).toEqual(whole.slice(0, marks.length));
            } else {
              expect([job?.state, marks]).toEqual([ref.user === undefined ? undefined : 'DONE', whole]);
            }
            expect(job === undefined || !isOpen(job)).toBe(true);
          }
          expect((await dynamo.get(keys.openJobs(user)))?.open).toEqual([]);
        }),
      ),
      { numRuns },
    );
  },
  timeout,
);
