import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutageError } from '../../src/core/errors.ts';
import type { StreamHandler } from '../../src/stream/change.ts';
import { createDeadLetters } from '../../src/stream/deadLetters.ts';
import { createDispatcher } from '../../src/stream/dispatcher.ts';
import { createLambdaHandler } from '../../src/stream/lambda.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { createTestClock, hastyClock } from '../support/time/clock.ts';
import { listDeadLetters } from './support/deadLetters.ts';
import { eventOf, expired, read, sent, sequenceOf } from './support/lambdaEvent.ts';
import { createRecorder, numbers, silent } from './support/stream.ts';

const LABEL = '2026-11-20T10:11:12.345';

let db: TestDynamo;
beforeAll(async () => {
  db = await openTestDynamo();
});
afterAll(() => db.stop());

function create(...handlers: StreamHandler[]) {
  const dispatcher = createDispatcher({
    handlers,
    deadLetter: createDeadLetters({ dynamo: db.dynamo }),
    log: silent,
    graceMs: 100,
    clock: hastyClock,
  });
  const clock = createTestClock();
  return { dispatcher, clock, handler: createLambdaHandler({ dispatcher, marginMs: 6_000, clock }) };
}

const context = (ms: number) => ({ getRemainingTimeInMillis: () => ms });
const MINUTE = context(60_000);
/** Milliseconds that are left before the margin. */
const NEARLY_A_MINUTE = 54_000;

describe('createLambdaHandler', () => {
  it('createLambdaHandler: gives the handlers all changes, and reports no failure', async () => {
    const roots = createRecorder({ itemTypes: ['root'] });
    const memberships = createRecorder({
      name: 'memberships',
      itemTypes: ['membership', 'idempotencyRecord'],
    });
    const { handler } = create(roots, memberships);
    expect(await handler(eventOf(sent(1), read(2), expired(3), sent(4)), MINUTE)).toEqual({
      batchItemFailures: [],
    });
    expect(roots.handled.map(({ sequence }) => sequence)).toEqual([sequenceOf(1), sequenceOf(4)]);
    expect(roots.handled[0]).toMatchObject({
      stream: LABEL,
      kind: 'INSERT',
      key: { type: 'root', room: 'r1' },
      new: { body: 'hello', mentions: ['u2'] },
      expired: false,
    });
    expect(memberships.handled).toMatchObject([
      { kind: 'MODIFY', old: { readPosition: 10 }, new: { readPosition: 12 }, expired: false },
      { kind: 'REMOVE', key: { type: 'idempotencyRecord', user: 'u1' }, expired: true },
    ]);
  });

  it('createLambdaHandler: reports the first change that is unhandled because of an outage', async () => {
    const steady = createRecorder({ name: 'steady' });
    const cut = createRecorder({
      name: 'cut',
      fail: (changes) => {
        if (!changes.some((change) => Number(change.new?.n) >= 4)) return;
        // The time ends during the attempts for the first change alone.
        if (changes.length === 1) clock.advance(NEARLY_A_MINUTE);
        throw new OutageError();
      },
    });
    const { handler, dispatcher, clock } = create(steady, cut);
    const event = eventOf(...[1, 2, 3, 4, 5, 6].map(sent));
    expect(await handler(event, MINUTE)).toEqual({
      batchItemFailures: [{ itemIdentifier: sequenceOf(4) }],
    });
    expect(numbers(cut.handled)).toEqual([1, 2, 3]);
    expect(numbers(steady.handled)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(dispatcher.deadLetterCount).toBe(0);
  });

  it('createLambdaHandler: handles every change when Lambda repeats from the reported one', async () => {
    let outages = 3;
    const flaky = createRecorder({
      fail: (changes) => {
        if (outages === 0 || !changes.some((change) => Number(change.new?.n) >= 3)) return;
        if (changes.length === 1) clock.advance(NEARLY_A_MINUTE);
        throw new OutageError();
      },
    });
    const { handler, clock } = create(flaky);
    let records = [1, 2, 3, 4, 5].map(sent);
    while (records.length > 0) {
      const { batchItemFailures } = await handler(eventOf(...records), MINUTE);
      outages--;
      const [failed] = batchItemFailures;
      const from = records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed?.itemIdentifier);
      records = failed === undefined ? [] : records.slice(from);
    }
    expect(numbers(flaky.handled)).toEqual([1, 2, 3, 4, 5]);
  });

  it('createLambdaHandler: writes a dead letter for a change that cannot be processed, and reports no failure', async () => {
    const picky = createRecorder({
      name: 'picky',
      fail: (changes) => {
        if (changes.some((change) => change.new?.n === 2)) throw new Error('no twos');
      },
    });
    const { handler, dispatcher } = create(picky);
    expect(await handler(eventOf(sent(1), sent(2), sent(3)), MINUTE)).toEqual({ batchItemFailures: [] });
    expect(numbers(picky.handled)).toEqual([1, 3]);
    expect(dispatcher.deadLetterCount).toBe(1);
    expect((await listDeadLetters({ dynamo: db.dynamo, stream: LABEL })).deadLetters).toMatchObject([
      { sequence: sequenceOf(2), kind: 'INSERT', failures: [{ handler: 'picky', message: 'no twos' }] },
    ]);
  });

  it('createLambdaHandler: writes a dead letter for an unreadable record, and continues', async () => {
    const roots = createRecorder();
    const { handler, dispatcher } = create(roots);
    const odd = sent(12);
    const image = { ...odd.dynamodb?.NewImage, body: JSON.parse('{ "X": "from later" }') };
    const event = eventOf(sent(11), { ...odd, dynamodb: { ...odd.dynamodb, NewImage: image } }, sent(13));
    expect(await handler(event, MINUTE)).toEqual({ batchItemFailures: [] });
    expect(numbers(roots.handled)).toEqual([11, 13]);
    expect(dispatcher.deadLetterCount).toBe(1);
    const { deadLetters: kept } = await listDeadLetters({
      dynamo: db.dynamo,
      stream: LABEL,
      after: sequenceOf(11),
    });
    expect(kept).toMatchObject([
      {
        sequence: sequenceOf(12),
        kind: 'INSERT',
        item: { pk: odd.dynamodb?.Keys?.pk?.S, sk: odd.dynamodb?.Keys?.sk?.S },
        failures: [{ handler: 'recorder', message: expect.stringContaining('X') }],
      },
    ]);
  });

  it('createLambdaHandler: begins nothing if little time is left, and reports the first change', async () => {
    const handled = createRecorder();
    const { handler } = create(handled);
    expect(await handler(eventOf(sent(1), sent(2)), context(0))).toEqual({
      batchItemFailures: [{ itemIdentifier: sequenceOf(1) }],
    });
    expect(handled.calls).toEqual([]);
  });

  it('createLambdaHandler: skips records without a change and the consumer’s own', async () => {
    const everything = createRecorder({ itemTypes: ['membership', 'shard', 'deadLetter', 'unknown'] });
    const { handler } = create(everything);
    const { dynamodb, ...unchanged } = read(1);
    const lease = {
      ...sent(2).dynamodb,
      Keys: { pk: { S: `STREAM#${LABEL}` }, sk: { S: 'SHARD#shardId-1' } },
    };
    const event = eventOf(
      { ...unchanged, dynamodb: { ...dynamodb, NewImage: dynamodb?.OldImage } },
      { ...sent(2), dynamodb: lease },
    );
    expect(await handler(event, MINUTE)).toEqual({ batchItemFailures: [] });
    expect(everything.calls).toEqual([]);
  });
});
