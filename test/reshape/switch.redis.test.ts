/** Servers go on in another table while clients use them, and come back. */
import { expect, onTestFinished, test } from 'vitest';
import { readHeartbeats } from '../../src/reshape/heartbeats.ts';
import { openView, readRoom } from '../roomEvents/support/model/view.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { connectTo, people, roomOf } from '../support/clients/people.ts';
import { OTHER_LAYOUT, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { redisAvailable } from '../support/servers/redis.ts';
import { eventually } from '../support/time/eventually.ts';
import { recount } from '../verify/support/recount.ts';
import { tableBeside } from './support/copy.ts';
import { load, numbersIn } from './support/load.ts';
import { copyTo, switchBetween, twoServers } from './support/switching.ts';

const usersOf = async ({ dynamo }: TestDynamo) => (await readHeartbeats(dynamo, Date.now())).length;

test.skipIf(!redisAvailable)(
  'switch: nothing is lost or done twice while two servers go to another table under load, and come back',
  async () => {
    const first = await openTestDynamo({ file: true });
    onTestFinished(() => first.stop());
    // Its keys have other names, so each server begins to translate and ends it again.
    const second = await tableBeside(first, `${first.table}-2`, OTHER_LAYOUT);
    const { whole, api } = await twoServers(first);
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
      `switch: servers were without a table for ${frozen.join(' and ')} ms; ${work.sent.size} messages, ${[...work.refusals.values()].reduce((sum, count) => sum + count, 0)} requests refused\n`,
    );
    await whole.quiet();
    expect([...work.refusals.keys()].filter((code) => code !== 'UNAVAILABLE')).toEqual([]);
    // What was acknowledged is stored once, and nothing else is.
    expect((await numbersIn(first)).sort()).toEqual([...work.sent.values()].sort());
    expect(await recount(first.dynamo)).toEqual([]);
    expect((await queryBadge(ben)).notifications).toBe(work.sent.size);
    const state = await readRoom(reader, roomId);
    // If a switch takes longer than a second, reads are refused, and what needed them ends.
    for (const view of views) await view.shows(state, { resumes: true });
  },
  600_000,
);
