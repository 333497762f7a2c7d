/** The recipes of docs/clients.md while Redis is down, and when the viewer has left the room. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { readMetrics } from '../app/support/metrics.ts';
import { CursorOnly } from '../roomEvents/support/operations.ts';
import { LeaveRoom } from '../support/clients/operations.ts';
import { people, roomOf, say } from '../support/clients/people.ts';
import { startTestApp, type TestApp, tokenFor } from '../support/servers/app.ts';
import { type RedisServer, redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import * as eventSource from './recipes/eventSource.ts';
import { createLiveClient, followRoom, type RoomEvent } from './recipes/graphqlWs.ts';
import { hasPython, PYTHON_RECIPE } from './support/python.ts';

interface Following {
  readonly url: string;
  readonly token: () => Promise<string>;
  readonly roomId: string;
  readonly after: string;
  /** The body of a new message. */
  readonly onBody: (body: string) => void;
  /** The end, for good, with the error. */
  readonly onEnd: (error: string) => void;
}
/** Resolves when it follows the room, to the function that ends it. */
type Follow = (options: Following) => Promise<() => void>;

const bodyOf = (take: (body: string) => void) => (event: RoomEvent) => {
  if (event.__typename === 'MessageAdded') take(event.message?.body ?? '');
};

const graphqlWs: Follow = async ({ url, token, roomId, after, onBody, onEnd }) => {
  const live = createLiveClient({ url: url.replace('http', 'ws'), token, webSocketImpl: WebSocket });
  const stop = followRoom(live, { roomId, after }, bodyOf(onBody), (error) => onEnd(JSON.stringify(error)));
  return () => {
    stop();
    void live.dispose();
  };
};

const events: Follow = async ({ onBody, onEnd, ...options }) =>
  eventSource.followRoom({ ...options, onEnd, onEvent: bodyOf(onBody) });

const python: Follow = async ({ url, token, roomId, onBody, onEnd }) => {
  const child = spawn('python3', [PYTHON_RECIPE, url, await token(), roomId]);
  let complaints = '';
  child.stderr.on('data', (text) => {
    complaints += String(text);
  });
  child.once('close', () => onEnd(complaints));
  const lines = createInterface({ input: child.stdout });
  await once(lines, 'line');
  lines.on('line', (line) => {
    // Each time it has caught up.
    if (line !== 'live') onBody(line);
  });
  return () => void child.kill();
};

const CLIENTS: ReadonlyArray<[string, Follow]> = [
  ['graphql-ws', graphqlWs],
  ['EventSource', events],
  ...(hasPython ? [['Python', python] satisfies [string, Follow]] : []),
];

describe.skipIf(!redisAvailable)('recipes: while Redis is down', () => {
  let redis: RedisServer;
  let app: TestApp;
  beforeAll(async () => {
    redis = await startRedis();
    app = await startTestApp({ redisUrl: redis.url });
  });
  afterAll(async () => {
    await app?.stop();
    await redis?.stop();
  });

  /** Attempts to subscribe that were refused because the bus was down. */
  const refusals = async () =>
    (await readMetrics(app.url)).value('tsudoi_operations_total', {
      type: 'subscription',
      code: 'UNAVAILABLE',
    });

  test.each(CLIENTS)(
    '%s: goes on when it is back, and ends when the viewer has left',
    async (...[, follow]) => {
      const [ben, aki] = await people(app, 2);
      const roomId = await roomOf(ben, [aki]);
      const after = (await aki.do(CursorOnly, { roomId })).room?.eventsCursor ?? '';
      const bodies: string[] = [];
      const ends: string[] = [];
      const stop = await follow({
        url: `${app.url}/graphql`,
        token: () => tokenFor(aki.handle),
        roomId,
        after,
        onBody: (body) => void bodies.push(body),
        onEnd: (error) => void ends.push(error),
      });
      onTestFinished(stop);
      const arrives = (body: string) =>
        eventually(() => expect([bodies, ends]).toEqual([expect.arrayContaining([body]), []]));
      await say(ben, roomId, 'before');
      await arrives('before');
      const before = await refusals();
      await redis.kill();
      await say(ben, roomId, 'meanwhile');
      await eventually(async () => expect(await refusals()).toBeGreaterThan(before));
      await redis.restart();
      await arrives('meanwhile');
      await say(ben, roomId, 'after');
      await arrives('after');
      expect(bodies).toEqual(['before', 'meanwhile', 'after']);

      await aki.do(LeaveRoom, { roomId });
      await eventually(() => expect(ends).toHaveLength(1));
      expect(ends[0]).toMatch(/FORBIDDEN|Only members of this room/);
    },
  );

  test('graphql-ws: says once that it is over when it is ended while Redis is down', async () => {
    const [aki] = await people(app, 1);
    const roomId = await roomOf(aki);
    const after = (await aki.do(CursorOnly, { roomId })).room?.eventsCursor ?? '';
    const live = createLiveClient({
      url: `${app.url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      token: () => tokenFor(aki.handle),
    });
    onTestFinished(() => void live.dispose());
    const ends: unknown[] = [];
    const onEnd = (error?: unknown) => void ends.push(error);
    const stop = followRoom(live, { roomId, after }, () => {}, onEnd);
    const before = await refusals();
    await redis.kill();
    onTestFinished(() => redis.restart());
    await eventually(async () => expect(await refusals()).toBeGreaterThan(before));
    stop();
    await eventually(() => expect(ends).toEqual([undefined]));
  });
});
