import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import {
  createTypers,
  createTyping,
  TYPERS_MAX,
  TYPING_AGAIN_MS,
  TYPING_MS,
  type TypingUpdate,
  typingTopic,
} from '../../src/roomEvents/typing.ts';
import { silent } from '../stream/support.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { people, rawId, roomOf } from '../support/people.ts';
import { dump } from '../support/table.ts';
import { createRoomFixture, next, upTo } from './support/fixture.ts';
import { RoomEvents, SetTyping } from './support/operations.ts';

describe('setTyping: that a user types', () => {
  /** With a clock that the test sets. Resolves to what was published. */
  async function said(steps: ReadonlyArray<readonly [at: number, typing: boolean]>): Promise<boolean[]> {
    const bus = createMemoryBus({ log: silent });
    const told: boolean[] = [];
    await bus.subscribe(typingTopic('room'), ({ typing }: TypingUpdate) => void told.push(typing));
    let time = 0;
    const typing = createTyping({ bus, now: () => time });
    for (const [at, value] of steps) {
      time = at;
      typing.set({ room: 'room', user: 'aki', removals: 0 }, value);
    }
    await bus.publish(typingTopic('room'), { user: 'the end', typing: false, removals: 0 });
    return told.slice(0, -1);
  }

  test('is published again only after a while', async () => {
    const every100 = Array.from({ length: 50 }, (_, i) => [i * 100, true] as const);
    expect(await said(every100)).toHaveLength(Math.ceil(4_900 / TYPING_AGAIN_MS));
  });

  test('is not published more often if it is taken back in between', async () => {
    const inTurns = Array.from({ length: 100 }, (_, i) => [i * 10, i % 2 === 0] as const);
    expect(await said(inTurns)).toEqual([true, false]);
  });

  test('is taken back once, and only if it was published', async () => {
    expect(await said([[0, false]])).toEqual([]);
    expect(
      await said([
        [0, true],
        [1, false],
        [2, false],
        [TYPING_AGAIN_MS, true],
      ]),
    ).toEqual([true, false, true]);
  });
});

describe('createTypers: the users who type', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function seenBy(reader: string) {
    vi.useFakeTimers();
    const changes: string[][] = [];
    const typers = createTypers(reader, () => changes.push(typers.users));
    return { typers, changes };
  }

  test('disappear after six seconds if they do not repeat it', () => {
    const { typers, changes } = seenBy('ben');
    typers.take({ user: 'aki', typing: true });
    vi.advanceTimersByTime(TYPING_MS - 1);
    typers.take({ user: 'aki', typing: true });
    vi.advanceTimersByTime(TYPING_MS - 1);
    expect(changes).toEqual([['aki']]);
    vi.advanceTimersByTime(1);
    expect(changes).toEqual([['aki'], []]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('do not include the reader, and are at most 20', () => {
    const { typers, changes } = seenBy('ben');
    typers.take({ user: 'ben', typing: true });
    expect(changes).toEqual([]);
    for (let i = 0; i < 100; i++) typers.take({ user: `u${i}`, typing: true });
    expect(typers.users).toHaveLength(TYPERS_MAX);
    typers.take({ user: 'u0', typing: false });
    expect(typers.users).not.toContain('u0');
    typers.close();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('setTyping', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('stores nothing', async () => {
    const [aki, ben] = await people(app, 2);
    const roomId = await roomOf(aki, [ben]);
    await app.quiet();
    const events = ben.subscribe(RoomEvents, { roomId });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    const before = await dump(app.dynamo);
    await aki.do(SetTyping, { roomId, typing: true });
    const { roomEvents } = await events.until((event) => event.roomEvents.__typename === 'TypingChanged');
    expect(roomEvents).toMatchObject({ users: [{ handle: aki.handle }] });
    await aki.do(SetTyping, { roomId, typing: false });
    await events.until(
      (event) => event.roomEvents.__typename === 'TypingChanged' && event.roomEvents.users.length === 0,
    );
    expect(await dump(app.dynamo)).toEqual(before);
    events.close();
  });

  test('is refused for outsiders', async () => {
    const [aki, eve] = await people(app, 2);
    const [open, closed] = [await roomOf(aki), await roomOf(aki, [], { visibility: 'PRIVATE' })];
    expect(await eve.refused(SetTyping, { roomId: open, typing: true })).toBe('FORBIDDEN');
    expect(await eve.refused(SetTyping, { roomId: closed, typing: true })).toBe('NOT_FOUND');
    expect(await eve.refused(SetTyping, { roomId: 'x', typing: true })).toBe('NOT_FOUND');
  });

  test('is not sent to a former member, even if it is the first message after the removal', async () => {
    const fixture = await createRoomFixture(app.dynamo);
    await Promise.all(['ben', 'chi'].map(fixture.admit));
    const [out, still] = [await fixture.open('ben'), await fixture.open('chi')];
    await Promise.all([out, still].map((events) => upTo(events, 'Synced')));
    await fixture.expel('ben');
    await fixture.bus.publish(typingTopic(fixture.room), { user: 'aki', typing: true, removals: 1 });
    expect(await upTo(out, 'TypingChanged')).toEqual(['the end']);
    expect(await next(still)).toMatchObject({ type: 'TypingChanged', users: ['aki'] });
    await still.return?.();
  });

  test('is sent to the readers of that room only', async () => {
    const [aki, ben] = await people(app, 2);
    const [one, other] = [await roomOf(aki, [ben]), await roomOf(aki, [ben])];
    // The events of their joining have been sent by then, so none arrives in between.
    await app.quiet();
    const events = ben.subscribe(RoomEvents, { roomId: one });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    await aki.do(SetTyping, { roomId: other, typing: true });
    await aki.do(SetTyping, { roomId: one, typing: true });
    const told = await events.next();
    expect(told.roomEvents).toMatchObject({ __typename: 'TypingChanged', room: { id: one } });
    expect(rawId(one)).not.toBe(rawId(other));
    events.close();
  });
});
