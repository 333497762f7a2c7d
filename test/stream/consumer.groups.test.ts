import { describe, expect, it } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { bulkWrite } from '../../src/dynamo/bulkWrite.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { FIRST_SHAPE } from '../../src/dynamo/shapes.ts';
import { createDeadLetters } from '../../src/stream/deadLetters.ts';
import { createDispatcher } from '../../src/stream/dispatcher.ts';
import type { OptionalGroup } from '../../src/stream/handlerGroup.ts';
import { covers, until, upTo, useConsumerFixture } from './support/consumerFixture.ts';
import { createRecorder, numbers, type RecordingHandler, rootKey, silent } from './support/stream.ts';

const fixture = useConsumerFixture();

/** An optional group of one handler, which meets an outage while `down` is set. */
function searchGroup(fail = () => {}) {
  const state = { down: false, rebuilds: 0 };
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
      handlers: [handler],
      log: silent,
      deadLetter: createDeadLetters({ dynamo: fixture.dynamo }),
    }),
    onTrimmed: async () => {
      state.rebuilds++;
    },
  };
  return { state, handler, group };
}

const groupLease = () => fixture.db.dynamo.get(keys.shard(`${fixture.label}@search`, fixture.shard));

const handledAll = (handler: RecordingHandler, n: number) =>
  until(() => expect(numbers(handler.handled)).toEqual(upTo(n)));

async function putAll(from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n++) await fixture.put(n);
}

describe('createConsumer: optional group', () => {
  it('optional group: handles the same changes as the core group without polling', async () => {
    const core = createRecorder();
    const { handler, group } = searchGroup();
    const consumer = await fixture.started({ handlers: [core], optional: [group] });
    await putAll(1, 20);
    await handledAll(core, 20);
    await handledAll(handler, 20);
    // The core group's lease has the same key and attributes as before there were groups.
    await until(async () =>
      expect(covers((await fixture.lease())?.checkpoint, core.handled.at(-1))).toBe(true),
    );
    expect(Object.keys((await fixture.lease()) ?? {}).sort()).toEqual(
      ['checkpoint', 'counter', 'owner', 'pk', 'sk', 'v'].sort(),
    );
    await until(async () => expect(covers((await groupLease())?.checkpoint, core.handled.at(-1))).toBe(true));
    expect(consumer.state().optional.search?.shards.map(({ shard }) => shard)).toEqual([fixture.shard]);
  });

  it('optional group: an outage does not delay the core group, and the group catches up in order', async () => {
    const core = createRecorder();
    const { state, handler, group } = searchGroup();
    state.down = true;
    const consumer = await fixture.started({ handlers: [core], optional: [group] });
    // More than the group buffers, so that it has to read again.
    const items = upTo(1_300).map((n) => ({ ...rootKey('r', n), v: 1, n }));
    await bulkWrite({ dynamo: fixture.db.dynamo, items, by: 'batches' });
    await until(() => expect(core.handled).toHaveLength(1_300));
    await until(async () =>
      expect(covers((await fixture.lease())?.checkpoint, core.handled.at(-1))).toBe(true),
    );
    expect(handler.handled).toEqual([]);
    expect(covers((await groupLease())?.checkpoint, core.handled[0])).toBe(false);
    expect(consumer.state()).toMatchObject({ lagMs: 0, deadLetters: 0 });
    expect(consumer.state().optional.search?.lagMs).toBeGreaterThan(0);

    state.down = false;
    await until(() => expect(handler.handled.length).toBeGreaterThanOrEqual(1_300));
    expect(numbers(handler.handled)).toEqual(numbers(core.handled));
    // Caught up, it follows again.
    await fixture.put(1_301);
    await until(() => expect(numbers(handler.handled).at(-1)).toBe(1_301));
    expect(handler.handled).toHaveLength(1_301);
    expect(consumer.state().deadLetters).toBe(0);
  });

  it('optional group: continues from its own checkpoint after a crash', async () => {
    const before = { core: createRecorder(), search: searchGroup() };
    const first = await fixture.started({ handlers: [before.core], optional: [before.search.group] });
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
      expect(covers((await fixture.lease())?.checkpoint, before.core.handled.at(-1))).toBe(true),
    );
    // It cannot write any more, and another consumer takes over.
    fixture.proxy.mode = 'refuse';
    await first.stop();
    fixture.proxy.mode = 'pass';
    const after = { core: createRecorder(), search: searchGroup() };
    await fixture.started({ handlers: [after.core], optional: [after.search.group] });
    await fixture.put(11);
    await until(() => expect(numbers(after.core.handled).at(-1)).toBe(11));
    await until(() => expect(numbers(after.search.handler.handled)).toEqual([6, 7, 8, 9, 10, 11]));
  });

  it('optional group: writes a dead letter for a change that its handler cannot process', async () => {
    const core = createRecorder();
    const { handler, group } = searchGroup(() => {
      throw new SyntaxError('a fault of the handler');
    });
    const consumer = await fixture.started({ handlers: [core], optional: [group] });
    await fixture.put(1);
    await handledAll(core, 1);
    await until(() => expect(consumer.state().deadLetters).toBe(1));
    expect(handler.handled).toEqual([]);
  });

  it('optional group: a new group begins at the oldest record, while the core group continues', async () => {
    const old = createRecorder();
    const former = await fixture.started({ handlers: [old] });
    await putAll(1, 3);
    await handledAll(old, 3);
    await former.stop();
    // A lease as an earlier release without groups writes it.
    const { checkpoint, counter } = (await fixture.lease()) ?? {};
    await fixture.db.dynamo.put({
      ...keys.shard(fixture.label, fixture.shard),
      v: FIRST_SHAPE,
      checkpoint,
      counter,
    });
    const core = createRecorder();
    const { handler, group } = searchGroup();
    await fixture.started({ handlers: [core], optional: [group] });
    await fixture.put(4);
    await until(() => expect(numbers(core.handled)).toEqual([4]));
    await handledAll(handler, 4);
  });
});
