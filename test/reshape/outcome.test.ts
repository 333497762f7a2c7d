/**
 * What the command says of a switch is what is stored, also if the database does not answer, and what it leaves is
 * free.
 */
import { expect, test } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import { skipStream } from '../../src/reshape/carry/following.ts';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { createLeases } from '../../src/stream/leases.ts';
import { streamLabel } from '../../src/stream/records.ts';
import { TIMERS_STREAM } from '../../src/timers/host.ts';
import { aroundUse, sidesOf, switchBetween, tableAndCopy } from './support/switching.ts';

test('the response to the decision is lost: it was decided', async () => {
  const { first, second } = await tableAndCopy();
  const lossy = aroundUse(first, async (sent, send) => {
    const failed = await send();
    if (sent === 'decided') throw new OutageError();
    return failed;
  });
  expect(await switchBetween(lossy, second)).toMatchObject({ servers: 0, late: [] });
  expect(await readTableShape(second.dynamo)).not.toHaveProperty('notInUse');
});

test('the decision arrives when the command takes it back already: it was decided', async () => {
  const { first, second } = await tableAndCopy();
  let late: (() => Promise<unknown>) | undefined;
  const slow = aroundUse(first, async (sent, send) => {
    if (sent === 'takenBack') await late?.();
    if (sent !== 'decided') return send();
    late = send;
    throw new OutageError();
  });
  expect(await switchBetween(slow, second)).toMatchObject({ servers: 0, late: [] });
  expect((await readTableShape(first.dynamo)).notInUse?.stream).toBe(second.streamArn);
  expect(await readTableShape(second.dynamo)).not.toHaveProperty('notInUse');
});

test('the decision arrives after it was taken back: it has no effect', async () => {
  const { first, second } = await tableAndCopy();
  let late: (() => Promise<unknown>) | undefined;
  const slow = aroundUse(first, async (sent, send) => {
    if (sent !== 'decided') return send();
    late = send;
    throw new OutageError();
  });
  await expect(switchBetween(slow, second)).rejects.toThrow(OutageError);
  expect(await late?.()).toHaveProperty('shape');
  expect(await readTableShape(first.dynamo)).not.toHaveProperty('notInUse');
  expect((await readTableShape(second.dynamo)).notInUse?.stream).toBe(first.streamArn);
});

test.each(['announced', 'frozen'] as const)(
  'the response to `%s` is lost: the command takes it back, and does not leave that to others',
  async (phase) => {
    const { first, second } = await tableAndCopy();
    const lossy = aroundUse(first, async (sent, send) => {
      const failed = await send();
      if (sent === phase) throw new OutageError();
      return failed;
    });
    await expect(switchBetween(lossy, second)).rejects.toThrow(OutageError);
    expect(await readTableShape(first.dynamo)).not.toHaveProperty('notInUse');
    expect(await readTableShape(first.dynamo)).not.toHaveProperty('moving');
  },
);

test('leases that processes have left in the copy, from when it was in use before, are free when it is in use again', async () => {
  const { first, second } = await tableAndCopy();
  const { dynamo, streamArn } = second;
  const leasesBy = (owner: string, stream: string) => createLeases({ dynamo, stream, owner });
  const stream = streamLabel(streamArn);
  for (const [name, shard] of [
    [TIMERS_STREAM, 'ALL'],
    [stream, 'trimmed'],
  ] as const) {
    const leases = leasesBy('former', name);
    await leases.list();
    await leases.take(shard);
  }
  await switchBetween(first, second);
  expect(await leasesBy('next', TIMERS_STREAM).list()).toMatchObject([{ shard: 'ALL', owner: undefined }]);
  for (const { shard, owner, finished, checkpoint } of await leasesBy('next', stream).list())
    expect([owner, finished || checkpoint !== undefined, shard]).toEqual([undefined, true, shard]);
});

test('the search for the end of the stream ends if it is aborted', async () => {
  const { first, second } = await tableAndCopy();
  const { target } = sidesOf(first, second);
  const over = new AbortController();
  const never = {
    ...target,
    // Nothing that it writes comes through.
    dynamo: { ...target.dynamo, put: async () => over.abort(new Error('Too late.')) },
  };
  await expect(skipStream(never, { signal: over.signal, lookMs: 25 })).rejects.toThrow('Too late.');
});
