/** While Redis is down the server refuses subscriptions to rooms. What a client that tries again gets, and keeps. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BUS_WAIT_MS } from '../../src/roomEvents/subscription.ts';
import { UnreadLive, UnreadNow } from '../support/clients/operations.ts';
import { newUser, type Person, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { RoomEvents } from './support/operations.ts';

describe.skipIf(!redisAvailable)('roomEvents: refused while Redis is down', () => {
  let redis: RedisServer;
  let app: TestApp;
  beforeAll(async () => {
    redis = await startRedis();
    // Two subscriptions at once: each attempt has to give its place back.
    app = await startTestApp({ redisUrl: redis.url, config: { userLimits: { subscriptions: 2 } } });
  });
  afterAll(async () => {
    await app?.stop();
    await redis?.stop();
  });

  /** Subscribes on the user's websocket. Resolves to the extensions of the error, and how long it took. */
  async function refusal(person: Person, roomId: string) {
    const begun = performance.now();
    const events = person.subscribe(RoomEvents, { roomId });
    const ended = await events
      .until(() => false)
      .then(
        () => '[]',
        (error: Error) => error.message,
      );
    const tookMs = performance.now() - begun;
    const [error] = JSON.parse(ended) as { extensions: { code: string; retryAfterMs: number } }[];
    return { ...error?.extensions, tookMs };
  }

  test('the error says when to try again, an attempt takes a while, and the websocket stays', async () => {
    const [aki, ben] = [await newUser(app), await newUser(app)];
    const roomId = await roomOf(aki, [ben]);
    // All that Ben does by a websocket is on this one, and ends with it.
    const badge = ben.subscribe(UnreadLive);
    await badge.next();
    await redis.kill();
    await eventually(async () => expect((await refusal(ben, roomId)).code).toBe('UNAVAILABLE'));

    for (let attempt = 0; attempt < 2; attempt++) {
      const { code, retryAfterMs, tookMs } = await refusal(ben, roomId);
      expect(code).toBe('UNAVAILABLE');
      expect(retryAfterMs).toBeGreaterThanOrEqual(1_000);
      // Timers may be early by a millisecond.
      expect(tookMs).toBeGreaterThan(BUS_WAIT_MS - 10);
    }
    expect((await ben.subscribe(UnreadNow).next()).viewer.unread.total).toBe(0);

    await redis.restart();
    await say(aki, roomId, 'after');
    expect((await badge.until(({ unread }) => unread.total === 1)).unread.total).toBe(1);
  });
});
