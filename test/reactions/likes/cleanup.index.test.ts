import { expect, test } from 'vitest';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { storedMessageKey } from '../../../src/messages/message.ts';
import { CleanupIncomplete } from '../../../src/reactions/cleanup.ts';
import { BATCH_SIZE, INDEX_RETRIES } from '../../../src/reactions/toggles/cleanup.ts';
import { storedTimer } from '../../timers/support/timers.ts';
import { clearing, deletedAt, NOTHING, recordOf, useCleanup } from './support/cleanup.ts';

const fixture = useCleanup();

/** A table whose index returns its first answers again, for that many requests. */
function lagging(times: number): Dynamo {
  const pages = new Map<string, ReturnType<Dynamo['queryIndex']>>();
  let requests = 0;
  return {
    ...fixture.app.dynamo,
    queryIndex(pk, page) {
      if (++requests > times) return fixture.app.dynamo.queryIndex(pk, page);
      const name = JSON.stringify([pk, page]);
      const first = pages.get(name) ?? fixture.app.dynamo.queryIndex(pk, page);
      pages.set(name, first);
      return first;
    },
  };
}

test('clearLikes: reads the next page if the index still lists likes that are deleted', async () => {
  const message = await fixture.leftovers(3 * BATCH_SIZE);
  const { cleanup } = clearing(lagging(Number.POSITIVE_INFINITY));
  for (const remaining of [2 * BATCH_SIZE, BATCH_SIZE, 0]) {
    expect(await cleanup.kind.step(storedMessageKey(message), null)).toBe(remaining === 0 ? null : '0');
    expect(await fixture.left(message)).toEqual({ count: remaining, likes: remaining });
  }
});

test('clearLikes: retries later if the index lists no like yet', async () => {
  const message = await fixture.leftovers(2);
  // Ahead of the app's clock, because the app runs due jobs too.
  let now = Date.now() + 3_600_000;
  let lags = true;
  const dynamo: Dynamo = {
    ...fixture.app.dynamo,
    queryIndex: async (pk, page) =>
      lags && pk.startsWith('LIKES#') ? { items: [], more: false } : fixture.app.dynamo.queryIndex(pk, page),
  };
  const consumer = clearing(dynamo, () => now);
  await consumer.handler.handle([recordOf(message, { likeCount: 2 }, { likeCount: 2, deletedAt })]);
  const job = await fixture.jobOf(message);
  expect(job).toMatchObject({ cursor: '1', state: 'QUEUED', runAt: now + 1_000 });
  // Its timer is due then.
  const id = `job:${String(job?.pk).slice('JOB#'.length)}`;
  expect(await storedTimer(fixture.app.dynamo, now + 1_000, id)).toMatchObject({ kind: 'job' });
  lags = false;
  now += 1_000;
  await fixture.stepOf(message, consumer);
  expect(await fixture.left(message)).toEqual(NOTHING);
  expect(await fixture.jobOf(message)).toBeUndefined();
});

test('clearLikes: throws CleanupIncomplete if the index never lists what is left', async () => {
  const message = await fixture.leftovers(0);
  await fixture.countOf(message, 2);
  const { cleanup } = clearing(fixture.app.dynamo, () => 0);
  const { kind } = cleanup;
  let cursor: string | null = null;
  for (let retry = 0; retry < INDEX_RETRIES; retry++) {
    const next = await kind.step(storedMessageKey(message), cursor);
    expect(next).toEqual({ cursor: String(retry + 1), runAt: 1_000 * 2 ** retry });
    cursor = String(retry + 1);
  }
  await expect(kind.step(storedMessageKey(message), cursor)).rejects.toThrow(CleanupIncomplete);
  await fixture.countOf(message, 0);
});
