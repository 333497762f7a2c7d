/** How fast a table is converted beside a client, and how long that one waits. */
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { createTimestamps } from '../../src/core/timestamps.ts';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import { createChanges } from '../../src/messages/change.ts';
import { messageItem } from '../../src/messages/message.ts';
import { createSending } from '../../src/messages/send.ts';
import { REACTIONS } from '../../src/reactions/registry.ts';
import { createShapeWatch } from '../../src/reshape/watch.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { scaled } from '../support/run/budget.ts';
import { createRehearsal, withoutShape } from './support/job.ts';
import { LONG, putRoom, RATE, rootsOf, textOf } from './support/messages.ts';

test('a rehearsal: converts and goes back beside a client, and prints the rate and how long the client waited', async () => {
  const count = onDynamoDbLocal ? 600 : scaled(10_000);
  const own = await openTestDynamo({ items: rootsOf(count, 10).map(messageItem) });
  onTestFinished(() => own.stop());
  await withoutShape(own.dynamo);
  const stopClient = await startClient(own);
  const rehearsal = createRehearsal(own.dynamo);
  await rehearsal.start({ rate: RATE });
  const [up, upMs] = await timed(rehearsal.convert);
  await rehearsal.back();
  const [down, downMs] = await timed(rehearsal.convert);
  const { requests, longestMs, refused, wrong, long: sent } = await stopClient();
  expect([refused, wrong]).toEqual([[], []]);
  expect(requests).toBeGreaterThan(10);
  const long = Math.ceil(count / 10);
  for (const { converted } of [up, down]) {
    expect(converted).toBeGreaterThanOrEqual(long);
    // Of the client's messages, those that were written in the shape before, or had a long text for a moment.
    expect(converted).toBeLessThanOrEqual(long + 2 * sent);
  }
  const rate = (ms: number) => Math.round((count / ms) * 1_000);
  process.stdout.write(
    `reshape: ${count} items, ${long} of them long. Up ${rate(upMs)} items/s, ${up.units} units; back ${rate(downMs)} items/s, ${down.units} units. ${requests} requests meanwhile, ${refused.length} refused, the longest took ${Math.round(longestMs)} ms.\n`,
  );
  // A machine that is ten times slower needs as much.
}, 3_600_000);

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const start = performance.now();
  return [await work(), performance.now() - start];
}

/** A server that follows the shape, and its client, who sends, edits and reads until it is stopped. */
async function startClient(database: TestDynamo) {
  const log = pino({ level: 'silent' });
  const watch = createShapeWatch({ dynamo: database.dynamo, log, everyMs: 100 });
  await watch.start();
  const own = createDynamo({ ...database, timeouts: database.dynamo.timeouts, shape: watch.inForce });
  const common = { dynamo: own, timestamps: createTimestamps(), extensions: REACTIONS };
  const { send } = createSending(common);
  const { edit } = createChanges(common);
  const room = newId();
  await putRoom(own, room);
  const figures = { requests: 0, longestMs: 0, long: 0, refused: [] as unknown[], wrong: [] as string[] };
  let isOver = false;

  async function request<T>(work: () => Promise<T>): Promise<T | undefined> {
    const begun = performance.now();
    try {
      return await work();
    } catch (error) {
      figures.refused.push(error);
      return undefined;
    } finally {
      figures.requests++;
      figures.longestMs = Math.max(figures.longestMs, performance.now() - begun);
    }
  }

  async function run(): Promise<void> {
    for (let n = 0; !isOver; n++) {
      const [first, second] = n % 2 === 0 ? ['short', LONG] : [LONG, 'short'];
      const message = await request(() => send({ room, author: 'aki', body: `${n} ${first}` }));
      if (message === undefined) continue;
      figures.long++;
      for (const body of [`${n} ${first}`, `${n} edited ${second}`]) {
        if (body.includes('edited')) await request(() => edit('aki', message, body));
        const text = await request(() => textOf(own, message));
        if (text !== body) figures.wrong.push(`${body.slice(0, 20)} is ${text?.slice(0, 20)}`);
      }
    }
  }
  const running = run();
  return async () => {
    isOver = true;
    await running;
    await watch.stop();
    return figures;
  };
}
