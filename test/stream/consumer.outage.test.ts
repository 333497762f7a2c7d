import { describe, expect, it } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { createDispatcher, type Dispatcher } from '../../src/stream/dispatcher.ts';
import { FAST, owned, until, useConsumerStage } from './consumerStage.ts';
import { createRecorder, createTestLog, numbers } from './support.ts';

const stage = useConsumerStage();

describe('an outage', () => {
  it('is waited out: nothing is lost, no dead letter is written, and it is logged once', async () => {
    const { log, lines } = createTestLog();
    const handler = createRecorder();
    const consumer = await stage.started({ handlers: [handler], log });
    await stage.put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    stage.proxy.mode = 'refuse';
    const said = () =>
      lines.filter(({ message }) => message.startsWith('The stream ')).map(({ level }) => level);
    await until(() => expect(said()).toEqual(['warn']));
    expect(consumer.state().reachable).toBe(false);
    for (const n of [2, 3]) await stage.put(n);
    stage.proxy.mode = 'pass';
    await until(() => expect(numbers(handler.handled)).toEqual([1, 2, 3]));
    await until(() => expect(consumer.state()).toMatchObject({ reachable: true, deadLetters: 0 }));
    expect(said()).toEqual(['warn', 'info']);
  });

  it('that is there at the start is waited out, too', async () => {
    stage.proxy.mode = 'refuse';
    const handler = createRecorder();
    await stage.put(1);
    const consumer = await stage.started({ handlers: [handler] });
    expect(consumer.state()).toMatchObject({ running: true, reachable: false, shards: [] });
    stage.proxy.mode = 'pass';
    await until(() => expect(handler.handled).toHaveLength(1));
  });

  it('of what the handlers need holds the checkpoint back', async () => {
    let away = true;
    const handler = createRecorder({
      fail: () => {
        if (away) throw new OutageError();
      },
    });
    await stage.put(1);
    const consumer = await stage.started({ handlers: [handler] });
    await until(() => expect(handler.calls.length).toBeGreaterThan(2));
    await until(async () => expect(Number((await stage.lease())?.counter)).toBeGreaterThan(2));
    expect(await stage.lease()).not.toHaveProperty('checkpoint');
    expect(consumer.state().shards[0]?.position).toBeUndefined();
    away = false;
    await until(() => expect(handler.handled).toHaveLength(1));
    expect(consumer.state().deadLetters).toBe(0);
  });

  it('does not keep it from stopping', async () => {
    const consumer = await stage.started();
    stage.proxy.mode = 'refuse';
    await until(() => expect(consumer.state().reachable).toBe(false));
    await consumer.stop();
    expect(owned(consumer)).toEqual([]);
  });
});

describe('a shard that cannot be read', () => {
  it.each(['gone', 'failed'])('(%s) is tried again, after a while', async (end) => {
    const { log, lines } = createTestLog();
    const handler = createRecorder();
    const deadLetter = () => Promise.reject(new Error('No dead letter was expected.'));
    const sound = createDispatcher({ handlers: [handler], deadLetter, log });
    let breaking = false;
    const dispatcher: Dispatcher = {
      deadLetterCount: 0,
      async dispatch(changes, signal) {
        if (breaking && end === 'failed') throw new Error('A fault of the program');
        return sound.dispatch(changes, signal);
      },
    };
    const consumer = await stage.started({ dispatcher, log, timing: { ...FAST, discoverMs: 3_600_000 } });
    await stage.put(1);
    await until(() => expect(handler.handled).toHaveLength(1));
    breaking = true;
    if (end === 'gone') stage.proxy.fail('GetRecords', 'ResourceNotFoundException');
    await stage.put(2);
    const ended = { level: 'info', message: 'Done with a shard', fields: { shard: stage.shard, end } };
    await until(() => expect(lines).toContainEqual(ended));
    breaking = false;
    await until(() => expect(numbers(handler.handled).at(-1)).toBe(2));
    expect(owned(consumer)).toEqual([stage.shard]);
    // It waits before it takes the shard again: a shard that stays broken must not keep all consumers busy.
    expect(lines.filter(({ message }) => message === 'Done with a shard').length).toBeLessThan(10);
  });
});
