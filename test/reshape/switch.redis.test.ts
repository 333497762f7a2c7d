/** Servers go on in another table while clients use them, and come back. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '../../src/core/ids.ts';
import { readHeartbeats } from '../../src/reshape/heartbeats.ts';
import { LikeMessage } from '../reactions/likes/support/operations.ts';
import { openView, readRoom } from '../roomEvents/support/model/view.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { SendMessage, Timeline } from '../support/clients/operations.ts';
import { connectTo, type Person, people, roomOf } from '../support/clients/people.ts';
import { openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { startTestApp } from '../support/servers/app.ts';
import { redisAvailable, startRedis } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { recount } from '../verify/support/recount.ts';
import { tableBeside } from './support/copy.ts';
import { copyTo, switchBetween } from './support/switching.ts';

/** Clients that send, like and read until they are stopped, and what was acknowledged to them. */
function load(users: readonly Person[], roomId: string, mentioned: string) {
  const sent = new Map<string, string>();
  const liked = new Set<string>();
  const refusals: Array<string | undefined> = [];
  let isOver = false;

  /** As a client does it: again with the same key as long as the service is not available. */
  async function send(user: Person, body: string): Promise<string> {
    const input = { roomId, body, idempotencyKey: newId() };
    for (;;) {
      const { data, errors } = await user.send(SendMessage, { input });
      if (errors === undefined && data?.sendMessage?.message.id !== undefined)
        return data.sendMessage.message.id;
      refusals.push(errors?.[0]?.extensions?.code);
      if (errors?.[0]?.extensions?.code !== 'UNAVAILABLE') throw new Error(JSON.stringify(errors));
      await wait(20);
    }
  }

  const working = users.map(async (user, i) => {
    for (let n = 0; !isOver; n++) {
      const number = `${i}-${n}`;
      const id = await send(user, `${number} for @${mentioned}`);
      sent.set(id, number);
      for (let isLiked = false; !isLiked; ) {
        const code = await user.refused(LikeMessage, { messageId: id });
        isLiked = code === undefined;
        if (!isLiked) refusals.push(code);
        if (!isLiked) await wait(20);
      }
      liked.add(id);
      const code = await user.refused(Timeline, { roomId, last: 5 });
      if (code !== undefined) refusals.push(code);
    }
  });
  return {
    ...{ sent, liked, refusals },
    async stop() {
      isOver = true;
      await Promise.all(working);
    },
  };
}

/** The numbers of the messages: a mention is stored as an id. */
const numbersIn = async ({ dynamo }: TestDynamo) =>
  [...(await dump(dynamo)).values()].flatMap(({ body }) =>
    typeof body === 'string' ? [body.split(' ')[0]] : [],
  );

const usersOf = async ({ dynamo }: TestDynamo) => (await readHeartbeats(dynamo, Date.now())).length;

test.skipIf(!redisAvailable)(
  'switch: nothing is lost or done twice while two servers go to another table under load, and come back',
  async () => {
    const first = await openTestDynamo({ file: true });
    onTestFinished(() => first.stop());
    const redis = await startRedis();
    onTestFinished(() => redis.stop());
    const second = await tableBeside(first, `${first.table}-2`);
    const shared = { database: first, redisUrl: redis.url, shapeMs: 200, shapeBelievedMs: undefined };
    const whole = await startTestApp({ ...shared, timersMs: 500 });
    onTestFinished(() => whole.stop());
    const api = await startTestApp({ ...shared, role: 'api' });
    onTestFinished(() => api.stop());
    const [aki, ben, chie, reader] = await people(whole, 4);
    const roomId = await roomOf(aki, [ben, chie, reader]);
    const there = await connectTo(api, chie);
    const views = [await openView(reader, roomId), await openView(await connectTo(api, reader), roomId)];
    const work = load([aki, there], roomId, ben.handle);
    await eventually(() => expect(work.sent.size).toBeGreaterThan(10));

    const frozen: number[] = [];
    for (const [from, to] of [
      [first, second],
      [second, first],
    ] as const) {
      await copyTo(from, to);
      const { servers, late, frozenMs } = await switchBetween(from, to);
      frozen.push(Math.round(frozenMs));
      expect([servers, late]).toEqual([2, []]);
      expect([await usersOf(from), await usersOf(to)]).toEqual([0, 2]);
      const [left, sent] = [(await numbersIn(from)).length, work.sent.size];
      await eventually(() => expect(work.sent.size).toBeGreaterThan(sent + 10));
      expect(await numbersIn(from)).toHaveLength(left);
    }
    await work.stop();
    process.stdout.write(
      `switch: servers were without a table for ${frozen.join(' and ')} ms; ${work.sent.size} messages, ${work.refusals.length} requests refused\n`,
    );
    await whole.quiet();
    expect(work.refusals.filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
    // What was acknowledged is stored once, and nothing else is.
    expect((await numbersIn(first)).sort()).toEqual([...work.sent.values()].sort());
    expect(await recount(first.dynamo)).toEqual([]);
    expect((await queryBadge(ben)).notifications).toBe(work.sent.size);
    const state = await readRoom(reader, roomId);
    for (const view of views) await view.shows(state);
  },
  600_000,
);
