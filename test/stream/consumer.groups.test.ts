import { describe, expect, it } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../src/dynamo/table.ts';
import type { OptionalGroup } from '../../src/stream/consumer.ts';
import { createDeadLetters } from '../../src/stream/deadLetters.ts';
import { createDispatcher } from '../../src/stream/dispatcher.ts';
import { covers, until, upTo, useConsumerStage } from './consumerStage.ts';
import { createRecorder, numbers, type RecordingHandler, rootKey, silent } from './support.ts';

const stage = useConsumerStage();

/** An optional group of one handler, which meets an outage while `down` is set. */
function searchGroup(fail = () => {}) {
  const state = { down: false, repairs: 0 };
  const handler = createRecorder({
    name: 'search',
    fail: () => {
      if (state.down) throw new OutageError();
      fail();
    },
  });
  const group: OptionalGroup = {
    name: 'search',
    dispatcher: createDispatcher({
      ...{ handlers: [handler], log: silent },
      deadLetter: createDeadLetters({ dynamo: stage.dynamo }),
    }),
    onTrimmed: async () => {
      state.repairs++;
    },
  };
  return { state, handler, group };
}

const groupLease = () => stage.db.dynamo.get(keys.shard(`${stage.label}@search`, stage.shard));

const handledAll = (handler: RecordingHandler, n: number) =>
  until(() => expect(numbers(handler.handled)).toEqual(upTo(n)));

async function putAll(from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await stage.put(n);
}

describe('an optional group', () => {
  it('follows the core group without polling: the same changes, one reader', async () => {
    const core = createRecorder();
    const { handler, group } = searchGroup();
    const consumer = await stage.started({ handlers: [core], optional: [group] });
    await putAll(1, 20);
    await handledAll(core, 20);
    await handledAll(handler, 20);
    // The lease of the core group has the key and the shape that it had before there were groups.
    await until(async () =>
      expect(covers((await stage.lease())?.checkpoint, core.handled.at(-1))).toBe(true),
    );
    expect(Object.keys((await stage.lease()) ?? {}).sort()).toEqual(
      ['checkpoint', 'counter', 'owner', 'pk', 'sk', 'v'].sort(),
    );
    await until(async () => expect(covers((await groupLease())?.checkpoint, core.handled.at(-1))).toBe(true));
    expect(consumer.state().optional.search?.shards.map(({ shard }) => shard)).toEqual([stage.shard]);
  });

  it('that is down does not delay the core group, and catches up in order', async () => {
    const core = createRecorder();
    const { state, handler, group } = searchGroup();
    state.down = true;
    const consumer = await stage.started({ handlers: [core], optional: [group] });
    // More than the group buffers, so that it has to read again.
    const items = upTo(1_300).map((n) => ({ ...rootKey('r', n), v: 1, n }));
    await bulkWrite({ dynamo: stage.db.dynamo, items, by: 'batches' });
    await until(() => expect(core.handled).toHaveLength(1_300));
    await until(async () =>
      expect(covers((await stage.lease())?.checkpoint, core.handled.at(-1))).toBe(true),
    );
    expect(handler.handled).toEqual([]);
    expect(covers((await groupLease())?.checkpoint, core.handled[0])).toBe(false);
    expect(consumer.state()).toMatchObject({ lagMs: 0, deadLetters: 0 });
    expect(consumer.state().optional.search?.lagMs).toBeGreaterThan(0);

    state.down = false;
    await until(() => expect(handler.handled.length).toBeGreaterThanOrEqual(1_300));
    expect(numbers(handler.handled)).toEqual(numbers(core.handled));
    // Caught up, it follows again.
    await stage.put(1_301);
    await until(() => expect(numbers(handler.handled).at(-1)).toBe(1_301));
    expect(handler.handled).toHaveLength(1_301);
    expect(consumer.state().deadLetters).toBe(0);
  });

  it('continues at its own checkpoint after a crash, each group at least once', async () => {
    const before = { core: createRecorder(), search: searchGroup() };
    const first = await stage.started({ handlers: [before.core], optional: [before.search.group] });
    await putAll(1, 5);
    await handledAll(before.core, 5);
    await handledAll(before.search.handler, 5);
    await until(async () =>
      expect(covers((await groupLease())?.checkpoint, before.core.handled.at(-1))).toBe(true),
    );
    before.search.state.down = true;
    await putAll(6, 10);
    await handledAll(before.core, 10);
    await until(async () =>
      expect(covers((await stage.lease())?.checkpoint, before.core.handled.at(-1))).toBe(true),
    );
    // It cannot write any more, and another consumer takes over.
    stage.proxy.mode = 'refuse';
    await first.stop();
    stage.proxy.mode = 'pass';
    const after = { core: createRecorder(), search: searchGroup() };
    await stage.started({ handlers: [after.core], optional: [after.search.group] });
    await stage.put(11);
    await until(() => expect(numbers(after.core.handled).at(-1)).toBe(11));
    await until(() => expect(numbers(after.search.handler.handled)).toEqual([6, 7, 8, 9, 10, 11]));
  });

  it('whose handler cannot process a change writes a dead letter of its own', async () => {
    const core = createRecorder();
    const { handler, group } = searchGroup(() => {
      throw new SyntaxError('a fault of the handler');
    });
    const consumer = await stage.started({ handlers: [core], optional: [group] });
    await stage.put(1);
    await handledAll(core, 1);
    await until(() => expect(consumer.state().deadLetters).toBe(1));
    expect(handler.handled).toEqual([]);
  });

  it('that is new to a table begins at the oldest record; the core group continues', async () => {
    const old = createRecorder();
    const former = await stage.started({ handlers: [old] });
    await putAll(1, 3);
    await handledAll(old, 3);
    await former.stop();
    // As a release without groups writes it.
    const { checkpoint, counter } = (await stage.lease()) ?? {};
    await stage.db.dynamo.put({
      ...keys.shard(stage.label, stage.shard),
      ...{ v: SCHEMA_VERSION, checkpoint, counter },
    });
    const core = createRecorder();
    const { handler, group } = searchGroup();
    await stage.started({ handlers: [core], optional: [group] });
    await stage.put(4);
    await until(() => expect(numbers(core.handled)).toEqual([4]));
    await handledAll(handler, 4);
  });
});
