/** Every server refuses a revoked token, even if Redis is down. */
import { describe, expect, test } from 'vitest';
import { createRevocations } from '../../src/revocations/revocations.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { useTwoServers } from '../support/servers/twoServers.ts';
import { startOwnTime } from '../support/time/ownTime.ts';
import { bearer, inAnHour, KNOWN_MS, newSubject, nowSeconds, overHttp, session } from './support/sessions.ts';

describe.skipIf(!redisAvailable)('two servers', () => {
  const both = useTwoServers({ revocationsMs: 1_000 });

  test.each(['up', 'killed'])(
    'revoke: closes websockets and refuses tokens within five seconds with Redis %s',
    async (redisIs) => {
      const { redis, database } = both;
      const servers = [both.here, both.there];
      const sub = newSubject();
      const token = await bearer(sub);
      const sockets = await Promise.all(servers.map((server) => session(server, token)));
      if (redisIs === 'killed') await redis.kill();
      await createRevocations({ dynamo: database.dynamo }).revoke({ sub, before: nowSeconds() }, inAnHour());
      const took = startOwnTime();
      const closed = await Promise.all(sockets.map((socket) => socket.closed));
      expect(took()).toBeLessThan(KNOWN_MS);
      expect(closed.map(({ code }) => code)).toEqual([4403, 4403]);
      const answers = await Promise.all(servers.map((server) => overHttp(server, token)));
      expect(answers).toEqual(['401 UNAUTHENTICATED', '401 UNAUTHENTICATED']);
    },
  );
});
