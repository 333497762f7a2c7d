/**
 * The runner of jobs as a process that tests kill. Its arguments are the endpoint of a database, the table, and a timer
 * of a job on tags, as JSON. It handles the timer, without pauses, until the job has ended, and deletes it.
 */
import { systemClock } from '../../../../src/core/clock.ts';
import { connect } from '../../../../src/dynamo/connect.ts';
import { createDynamo } from '../../../../src/dynamo/dynamo.ts';
import { keys } from '../../../../src/dynamo/keys.ts';
import { createJobRunner } from '../../../../src/jobs/runner.ts';
import { createTagJobs } from '../../../../src/saved/jobs/tagJobs.ts';
import type { Timer } from '../../../../src/timers/timer.ts';

const [endpoint = '', table = '', json = ''] = process.argv.slice(2);
const timer: Timer = JSON.parse(json);
// A busy machine must not make it an outage.
const timeouts = { attemptMs: 60_000, callMs: 300_000, optimisticMs: 300_000 };
const { transport, destroy } = connect({ endpoint, timeouts, via: 'direct' });
const dynamo = createDynamo({ transport, table, timeouts });
const runners = createJobRunner({
  dynamo,
  kinds: createTagJobs({ dynamo }).kinds,
  now: Date.now,
  // However slow the machine is, it sets no other timer for the rest.
  clock: { ...systemClock, now: () => 0 },
  budget: { reserve: () => 0, settle() {} },
});
await runners.find(({ name }) => name === timer.kind)?.handle(timer);
await dynamo.remove(keys.timer(timer.due, timer.id));
destroy();
