import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMemoryBus } from '../../src/bus/memory.ts';
import {
  createTyping,
  TYPERS_MAX,
  TYPING_AGAIN_MS,
  TYPING_MS,
  Typers,
  type TypingUpdate,
  typingTopic,
} from '../../src/roomEvents/typing.ts';
import { silent } from '../stream/support/stream.ts';
import { people, rawId, roomOf } from '../support/clients/people.ts';
import { dump } from '../support/database/table.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { createTestClock } from '../support/time/clock.ts';
import { createRoomFixture, next, upTo } from './support/fixture.ts';
import { RoomEvents, SetTyping } from './support/operations.ts';

describe('setTyping: that a user types', () => {
  /** Calls `set` at these times. Resolves to what was published. */
  async function published(steps: ReadonlyArray<readonly [at: number, typing: boolean]>): Promise<boolean[]> {
    const bus = createMemoryBus({ log: silent });
    const updates: boolean[] = [];
    await bus.subscribe(typingTopic('room'), ({ typing }: TypingUpdate) => void updates.push(typing));
    let time = 0;
    const typing = createTyping({ bus, clock: { now: () => time } });
    for (const [at, value] of steps) {
      time = at;
      typing.set({ room: 'room', user: 'aki', membershipEpoch: 0 }, value);
    }
    await bus.publish(typingTopic('room'), { user: 'the end', typing: false, membershipEpoch: 0 });
    return updates.slice(0, -1);
  }

  test('is published again at most every TYPING_AGAIN_MS', async () => {
    const every100 = Array.from({ length: 50 }, (_, i) => [i * 100, true] as const);
    expect(await published(every100)).toHaveLength(Math.ceil(4_900 / TYPING_AGAIN_MS));
  });

  test('is not published more often if it is taken back in between', async () => {
    const alternating = Array.from({ length: 100 }, (_, i) => [i * 10, i % 2 === 0] as const);
    expect(await published(alternating)).toEqual([true, false]);
  });

  test('is taken back once, and only if it was published', async () => {
    expect(await published([[0, false]])).toEqual([]);
    expect(
      await published([
        [0, true],
        [1, false],
        [2, false],
        [TYPING_AGAIN_MS, true],
      ]),
    ).toEqual([true, false, true]);
  });
});

describe('Typers: the users who type', () => {
  function seenBy(reader: string) {
    const changes: string[][] = [];
    const clock = createTestClock();
    const typers = new Typers(reader, () => changes.push(typers.users), clock);
    return { typers, changes, clock };
  }

  test('disappear after six seconds if they do not repeat it', () => {
    const { typers, changes, clock } = seenBy('ben');
    typers.apply({ user: 'aki', typing: true });
    clock.advance(TYPING_MS - 1);
    typers.apply({ user: 'aki', typing: true });
    clock.advance(TYPING_MS - 1);
    expect(changes).toEqual([['aki']]);
    clock.advance(1);
    expect(changes).toEqual([['aki'], []]);
    expect(clock.waiting).toBe(0);
  });

  test('do not include the reader, and are at most 20', () => {
    const { typers, changes, clock } = seenBy('ben');
    typers.apply({ user: 'ben', typing: true });
    expect(changes).toEqual([]);
    for (let i = 0; i < 100; i++) typers.apply({ user: `u${i}`, typing: true });
    expect(typers.users).toHaveLength(TYPERS_MAX);
    typers.apply({ user: 'u0', typing: false });
    expect(typers.users).not.toContain('u0');
    typers.close();
    expect(clock.waiting).toBe(0);
  });
});

describe('setTyping:', () => {
  let app: TestApp;
  beforeAll(async () => {
    // Otherwise a read position may be written between two looks at the table.
    app = await startTestApp({ putOffMs: 0 });
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
    const [removed, member] = [await fixture.open('ben'), await fixture.open('chi')];
    await Promise.all([removed, member].map((events) => upTo(events, 'Synced')));
    await fixture.expel('ben');
    await fixture.bus.publish(typingTopic(fixture.room), { user: 'aki', typing: true, membershipEpoch: 1 });
    expect(await upTo(removed, 'TypingChanged')).toEqual(['the end']);
    expect(await next(member)).toMatchObject({ type: 'TypingChanged', users: ['aki'] });
    await member.return?.();
  });

  test('is sent to the readers of that room only', async () => {
    const [aki, ben] = await people(app, 2);
    const [one, other] = [await roomOf(aki, [ben]), await roomOf(aki, [ben])];
    // Waits until the events of joining the rooms have been sent, so that none arrives later.
    await app.quiet();
    const events = ben.subscribe(RoomEvents, { roomId: one });
    await events.until(({ roomEvents }) => roomEvents.__typename === 'Synced');
    await aki.do(SetTyping, { roomId: other, typing: true });
    await aki.do(SetTyping, { roomId: one, typing: true });
    const typed = await events.next();
    expect(typed.roomEvents).toMatchObject({ __typename: 'TypingChanged', room: { id: one } });
    expect(rawId(one)).not.toBe(rawId(other));
    events.close();
  });
});
