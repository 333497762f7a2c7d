/**
 * The metrics of logs on AWS: each pattern of `infra/`, which has a filter of it, on lines that the program has logged.
 */
import { expect, onTestFinished, test } from 'vitest';
import { LOG_METRICS, type LogMetric, metricValueOf, patternOf } from '../../infra/lib/logPatterns.ts';
import { DELIVERY_WINDOWS } from '../../src/core/deliveryKinds.ts';
import { idFrom } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { createJobControl } from '../../src/jobs/control.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import { createDispatcher } from '../../src/stream/dispatcher.ts';
import { timerItem } from '../../src/timers/timer.ts';
import { startReceiver } from '../delivery/support/receiver.ts';
import { graphql } from '../generated/gql.ts';
import { isPoison } from '../stream/support/dispatching.ts';
import { createRecorder, insertions } from '../stream/support/stream.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { openTestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { createStreamGate } from '../support/stream/streamGate.ts';
import { eventually } from '../support/time/eventually.ts';
import { callFunction } from './support/callFunction.ts';

const HOUR_MS = 3_600_000;

const LateEvents = graphql(`
  subscription LateEvents($roomId: ID!) {
    roomEvents(roomId: $roomId) { __typename ... on MessageAdded { message { body } } }
  }
`);

type Line = Readonly<Record<string, unknown>>;

/**
 * What CloudWatch makes of a line: undefined if it does not match. It knows the part of the patterns' language that the
 * stack uses, and throws for the rest.
 */
function metricOf(metric: LogMetric, line: Line): number | undefined {
  const [pattern, value] = [patternOf(metric), metricValueOf(metric)];
  const [, inside] = /^\{ (.*) \}$/.exec(pattern) ?? [];
  const matches = inside?.split(' && ').every((part) => {
    const condition = part.replace(/^\((.*)\)$/, '$1');
    const [, field, text] = /^\$\.(\w+) = "(\w+)"$/.exec(condition) ?? [];
    if (field !== undefined) return line[field] === text;
    const [, flag] = /^\$\.(\w+) IS TRUE$/.exec(condition) ?? [];
    if (flag === undefined) throw new Error(`This condition is not known here: ${condition}`);
    return line[flag] === true;
  });
  if (matches === undefined) throw new Error(`This pattern is not known here: ${pattern}`);
  if (!matches) return undefined;
  const [, field] = /^\$\.(\w+)$/.exec(value) ?? [];
  const number = field === undefined ? Number(value) : line[field];
  return typeof number === 'number' ? number : undefined;
}

function openLog() {
  const lines: Line[] = [];
  return { lines, log: createLog({ level: 'info', to: { write: (text) => lines.push(JSON.parse(text)) } }) };
}

/**
 * The lines of a server whose only webhook fails for a day, and on which a message takes three seconds to its reader.
 */
async function linesOfServer(): Promise<readonly Line[]> {
  const { log, lines } = openLog();
  const receiver = await startReceiver();
  onTestFinished(() => receiver.stop());
  receiver.respond(() => ({ status: 503 }));
  let laterMs = 0;
  const gate = createStreamGate();
  const app = await startTestApp({
    wrapDispatcher: gate.wrapDispatcher,
    log,
    loadMs: 50,
    timersMs: 200,
    now: () => Date.now() + laterMs,
    config: {
      webhooks: [{ ...receiver.config, kinds: ['MENTION'] }],
      webhookPrivateHosts: ['127.0.0.1'],
      deliveryWindows: { ...DELIVERY_WINDOWS, MENTION: { delaySeconds: 0, windowSeconds: 0 } },
    },
  });
  try {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    const events = ben.subscribe(LateEvents, { roomId });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    gate.close();
    await say(ben, roomId, `Hello @${aki.handle}`);
    laterMs = 3_000;
    gate.open();
    await events.until(({ roomEvents }) => roomEvents.__typename === 'MessageAdded');
    await receiver.arrived(1);
    laterMs = 25 * HOUR_MS;
    await eventually(() => {
      const messages = lines.map(({ msg }) => msg);
      expect(messages).toEqual(expect.arrayContaining(['A delivery failed', 'Load']));
      expect(lines.filter(({ messages: reached }) => Number(reached) > 0)).toHaveLength(1);
    });
  } finally {
    await app.stop();
  }
  return lines;
}

/** The lines of a call of the timers function that gives a timer up, and finds a job that was paused hours ago. */
async function linesOfTimers(): Promise<readonly Line[]> {
  const database = await openTestDynamo({ file: true });
  onTestFinished(() => database.stop());
  const since = Date.now() - 48 * HOUR_MS;
  const failures = { count: 9, since, setFor: since, error: 'UnknownKind' };
  await database.dynamo.put(
    timerItem({ id: 'lost', kind: 'unknown', due: Date.now(), about: {}, owner: 'o', failures }),
  );
  const now = () => Date.now() - 7 * HOUR_MS;
  const job = { id: idFrom('a job that waits'), kind: 'clearStamps', about: {}, cursor: '' };
  await createJobs({ dynamo: database.dynamo, now }).add({ ...job, runAt: Date.now() + HOUR_MS });
  await createJobControl({ dynamo: database.dynamo, now }).pause({ id: job.id });
  const { lines } = await callFunction('timers', {
    DYNAMODB_ENDPOINT: database.endpoint,
    TABLE_NAME: database.table,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  return lines;
}

/** The lines of a consumer with a change that keeps failing. */
async function linesOfConsumer(): Promise<readonly Line[]> {
  const { log, lines } = openLog();
  const handler = createRecorder({ fail: isPoison(new Set(['2'])) });
  const dispatcher = createDispatcher({ handlers: [handler], deadLetter: async () => {}, log });
  await dispatcher.dispatch(insertions(3));
  return lines;
}

test('each pattern finds what the program logs, and its value', async () => {
  const [server, timers, consumer] = await Promise.all([linesOfServer(), linesOfTimers(), linesOfConsumer()]);
  const lines = [...server, ...timers, ...consumer];
  const found = Object.entries(LOG_METRICS).map(
    ([name, metric]) => [name, lines.flatMap((line) => metricOf(metric, line) ?? [])] as const,
  );
  const {
    Sockets: sockets,
    Messages: sent,
    MessagesLate: late,
    OldestJob: oldest,
    ...events
  } = Object.fromEntries(found);
  expect(events).toEqual({
    SetAside: [1],
    TimersFailed: [1],
    TimersOverdue: [0],
    DeliveriesFailed: [1],
    JobsStopped: [1],
  });
  expect(sockets?.length).toBeGreaterThan(0);
  // One line has the message, those before and after it none.
  expect([sent, late].map((counts) => counts?.filter((count) => count !== 0))).toEqual([[1], [1]]);
  expect(oldest).toEqual([expect.closeTo(7 * HOUR_MS, -6)]);
  // A call without the lease does not know how late the timers are.
  const other = timers.find(({ event }) => event === 'timers');
  expect(metricOf(LOG_METRICS.TimersOverdue as LogMetric, { ...other, active: false })).toBeUndefined();
});
