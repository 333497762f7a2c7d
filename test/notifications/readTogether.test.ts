/**
 * A notification is read together with its pointer and the badge, but not at one moment: what if it changes in between?
 */
import { expect, onTestFinished, test } from 'vitest';
import { createDynamo } from '../../src/dynamo/dynamo.ts';
import type { Input, Output, Transport } from '../../src/dynamo/transport/transport.ts';
import { testTimeouts } from '../support/database/dynamo.ts';
import { createScenario } from './support/scenario.ts';
import { openTestSystem } from './support/testSystem.ts';

/** Once, the notification is read first, then `between` runs, then the rest is read. */
async function openSplit() {
  const system = await openTestSystem();
  onTestFinished(system.stop);
  const { transport, table } = system.database;
  let between: (() => Promise<unknown>) | undefined;
  let splits = 0;
  async function split(input: Input<'BatchGetItem'>, options: { readonly timeoutMs: number }) {
    const { Keys = [] } = input.RequestItems[table] ?? {};
    const isNotification = ({ sk }: (typeof Keys)[number]) => String(sk).startsWith('NOTE#');
    const run = between;
    if (run === undefined || !Keys.some(isNotification))
      return transport.send('BatchGetItem', input, options);
    between = undefined;
    splits++;
    const only = { [table]: { Keys: Keys.filter(isNotification), ConsistentRead: true } };
    const output = await transport.send('BatchGetItem', { ...input, RequestItems: only }, options);
    await run();
    const rest = Keys.filter((key) => !isNotification(key));
    return { ...output, UnprocessedKeys: { [table]: { Keys: rest } } };
  }
  const splitting: Transport = {
    send: async (operation, input, options) =>
      operation === 'BatchGetItem'
        ? ((await split(input as Input<'BatchGetItem'>, options)) as Output<typeof operation>)
        : transport.send(operation, input, options),
  };
  const dynamo = createDynamo({ transport: splitting, table, timeouts: testTimeouts });
  const slow = system.dispatcherOf(system.derivationsOf(dynamo).handlers);
  const scenario = await createScenario(system);
  // After two likes the slow process remembers the notification.
  for (const { id } of [scenario.ben, scenario.chi]) {
    await system.consume();
    await scenario.likes.add(id, scenario.message);
    await slow.dispatch(await system.readStream());
  }
  expect(await scenario.summaries(scenario.aki)).toEqual(['LIKE 2 by chi, ben']);
  return {
    ...scenario,
    system,
    /** Handles a like by Dan. */
    async likeByDan(run: () => Promise<unknown>): Promise<void> {
      await scenario.likes.add(scenario.dan.id, scenario.message);
      const changes = await system.readStream();
      between = run;
      await slow.dispatch(changes);
      expect(splits).toBe(1);
    },
  };
}

test('likes: the notification is read by its user in between: the next one counts from one', async () => {
  const { aki, summaries, readFirst, likeByDan } = await openSplit();
  await likeByDan(() => readFirst(aki));
  expect(await summaries(aki)).toEqual(['LIKE 1 by dan', '(LIKE 2 by chi, ben)']);
});

test('likes: all were marked as read in between: the next one counts from one', async () => {
  const { aki, system, summaries, likeByDan } = await openSplit();
  await likeByDan(() => system.reading.markAllRead(aki.id));
  expect(await summaries(aki)).toEqual(['LIKE 1 by dan', '(LIKE 2 by chi, ben)']);
});

test('likes: another process has handled an unlike in between: both are counted', async () => {
  const { aki, ben, message, likes, system, summaries, likeByDan } = await openSplit();
  await likeByDan(async () => {
    await likes.remove(ben.id, message);
    await system.consume();
  });
  expect(await summaries(aki)).toEqual(['LIKE 2 by dan, chi']);
});
