/** The table becomes a copy in another table, while servers use it and the command is killed, and goes back. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { secondsOf } from '../../src/core/timestamps.ts';
import { namesOf } from '../../src/dynamo/keyLayout.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { readMetrics } from '../app/support/metrics.ts';
import { DeleteMessage, EditMessage } from '../messages/support/operations.ts';
import { LikeMessage, UnlikeMessage } from '../reactions/likes/support/operations.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { Timeline } from '../support/clients/operations.ts';
import { type Person, people, roomOf, say, userOf } from '../support/clients/people.ts';
import {
  OTHER_LAYOUT,
  onDynamoDbLocal,
  openTestDynamo,
  type TestDynamo,
} from '../support/database/dynamo.ts';
import { dump } from '../support/database/table.ts';
import { budget } from '../support/run/budget.ts';
import { randomFrom } from '../support/run/random.ts';
import { seed } from '../support/run/seed.ts';
import { startTestApp, type TestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { type CopyCommand, copyCommand, tableBeside } from './support/copy.ts';

/**
 * The commands have the product's time limits, in which DynamoDB Local, under load, does not answer. See
 * `copying.test.ts`.
 */
const onEmbedded = test.skipIf(onDynamoDbLocal);

/** The copy names its keys in another way. */
const CREATE = ['--create', '--to-keys', namesOf(OTHER_LAYOUT).join(',')];

/** How many times the command is killed. */
const { numRuns, timeout, start: startBudget } = budget({ runs: 3, seconds: 8 });

/** Clients that write until they are stopped. */
function load(app: TestApp, users: readonly Person[], rooms: readonly string[], random: () => number) {
  const messages: Array<{ readonly id: string; readonly author: Person }> = [];
  let isOver = false;
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

  async function act(user: Person, number: number): Promise<void> {
    const kind = random();
    const message = messages.length > 0 ? pick(messages) : undefined;
    if (message === undefined || kind < 0.4) {
      const body = `Message ${number} for @${pick(users).handle} ${random() < 0.2 ? 'あ'.repeat(600) : ''}`;
      messages.push({ id: (await say(user, pick(rooms), body)).id, author: user });
    } else if (kind < 0.6) await user.do(LikeMessage, { messageId: message.id });
    else if (kind < 0.7) await user.do(UnlikeMessage, { messageId: message.id });
    else if (kind < 0.85)
      await message.author.do(EditMessage, { messageId: message.id, body: `Edited ${number}` });
    else if (kind < 0.9) {
      messages.splice(messages.indexOf(message), 1);
      await message.author.do(DeleteMessage, { messageId: message.id });
    } else {
      // Some have expired, some will, and some go.
      const key = keys.idempotencyRecord(user.id, `expiring ${Math.floor(random() * 20)}`);
      if (random() < 0.3) await app.dynamo.remove(key);
      else
        await app.dynamo.put({
          ...key,
          v: 1,
          expiresAt: secondsOf(Date.now()) + Math.floor(random() * 8) - 4,
        });
    }
  }

  const writers = users.map(async (user, i) => {
    for (let number = i; !isOver; number += users.length) {
      // So that another process gets a part of the machine.
      await wait(30);
      // What another client has deleted meanwhile is refused.
      await act(user, number).catch(() => {});
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(writers);
  };
}

/** What clients see: badges, and all messages of all rooms. */
async function seen(app: TestApp, users: readonly Person[], rooms: readonly string[]) {
  const views: unknown[] = [];
  for (const { handle } of users) {
    const user = await userOf(app, handle);
    views.push(await queryBadge(user));
    for (const roomId of rooms) views.push(await user.do(Timeline, { roomId, last: 50 }));
    await user.close();
  }
  return views;
}

/** What handlers derive: it must not become more by another table's stream. */
const derivedIn = async ({ dynamo }: TestDynamo) => {
  const items = [...(await dump(dynamo)).values()];
  return items.filter(({ sk }) => /^(NOTE|ACTOR|DELIVERY|GATHER)#/.test(String(sk))).length;
};

const isInUse = async ({ dynamo }: TestDynamo) => (await readTableShape(dynamo)).notInUse === undefined;

/**
 * Hands over, and is killed when the table is out of use: at no moment are both tables in use, and the next run ends
 * it.
 */
async function handOverKilled(command: CopyCommand, from: TestDynamo, to: TestDynamo): Promise<void> {
  const killed = await command.begin('hand-over', '--no-way-back');
  await eventually(async () => expect(await isInUse(from)).toBe(false));
  killed.signal('SIGKILL');
  await killed.ended;
  expect(await isInUse(from)).toBe(false);
  // It may have been over already.
  if (!(await isInUse(to)))
    expect(await command.run('hand-over', '--no-way-back')).toMatchObject({ code: 0 });
  expect([await isInUse(from), await isInUse(to)]).toEqual([false, true]);
}

/** What `verify` says while it reads never is more than there is. */
function expectProgress(stderr: string): void {
  const lines = stderr.split('\n').filter((line) => line.startsWith('{"done"'));
  expect(lines).not.toEqual([]);
  for (const line of lines) {
    const { done, total = done, remainingSeconds = 0 } = JSON.parse(line);
    expect(done, line).toBeLessThanOrEqual(total);
    expect(remainingSeconds, line).toBeGreaterThanOrEqual(0);
  }
}

const last = (stdout: string) => JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '{}');

onEmbedded(
  `carry: a copy under load, killed again and again, is equal, is handed over, and comes back (seed ${seed})`,
  async () => {
    const random = randomFrom(seed);
    const first = await openTestDynamo({ file: true });
    onTestFinished(() => first.stop());
    const app = await startTestApp({ database: first, shapeMs: 1_000 });
    onTestFinished(() => app.stop());
    const users = await people(app, 3);
    const [owner, ...others] = users;
    const rooms = [await roomOf(owner, others), await roomOf(owner, others)];
    for (let i = 0; i < 60; i++) await say(users[i % 3] ?? owner, rooms[i % 2] ?? '', `Before ${i}`);

    const stopLoad = load(app, users, rooms, random);
    const name = `${first.table}-2`;
    const command = await copyCommand(first, name);
    const isOver = startBudget();
    for (let kill = 0; kill < numRuns && !isOver(); kill++) {
      const killed = await command.begin('carry', ...CREATE, '--rate', '100000');
      await killed.says('"state"');
      await wait(random() * 1_000);
      killed.signal('SIGKILL');
      await killed.ended;
    }
    const carrying = await command.begin('carry', ...CREATE, '--rate', '100000');
    await carrying.says('"FOLLOWING"');
    expect(await command.run('carry')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Another command carries into this table. See `status`.\n'),
    });
    // Under load it holds as well, but how soon depends on the machine.
    await stopLoad();
    const comparing = await command.begin('verify');
    await Promise.race([wait(random() * 1_000), comparing.ended]);
    comparing.signal('SIGKILL');
    const { code: ended } = await comparing.ended;
    const { verified: isProved } = last((await command.run('status')).stdout);
    // Half of a comparison proves nothing. Killed after its last line it may have noted the result, or not.
    if (!comparing.stdout.includes('"round":2')) expect(isProved).toBe(false);
    if (ended === 0) expect(isProved).toBe(true);
    const verified = await command.run('verify');
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringMatching(/"differences":0.*\n.*"differences":0/),
    ]);
    expectProgress(verified.stderr);
    await app.quiet();
    const before = await seen(app, users, rooms);
    // Read positions and profiles of those requests.
    await app.quiet();
    expect((await command.run('hand-over')).stderr).toMatch(
      /^The server \w+ on .+ uses the table .+\. Stop all servers/,
    );
    await app.stop();
    carrying.signal('SIGTERM');
    expect((await carrying.ended).code).toBe(0);
    const derived = await derivedIn(first);
    expect(derived).toBeGreaterThan(0);
    const second = await tableBeside(first, name);
    expect(second.layout).toEqual(OTHER_LAYOUT);
    await handOverKilled(command, first, second);

    const alive = async (database: TestDynamo) =>
      new Map(
        [...(await dump(database.dynamo))].filter(
          ([, { expiresAt }]) => !(Number(expiresAt) < Date.now() / 1_000 + 10),
        ),
      );
    expect(await alive(second)).toEqual(await alive(first));
    await expect(startTestApp({ database: first })).rejects.toThrow(
      `The table in use is ${name}. Set TABLE_NAME to that one.`,
    );
    const next = await startTestApp({ database: second, shapeMs: 1_000 });
    onTestFinished(() => next.stop());
    await next.quiet();
    expect(await seen(next, users, rooms)).toEqual(before);
    expect(await derivedIn(second)).toBe(derived);
    const [me, other] = [await userOf(next, owner.handle), await userOf(next, users[1].handle)];
    const unread = (await queryBadge(other)).notifications;
    await say(me, rooms[0] ?? '', `Here is something for @${other.handle}`);
    await next.quiet();
    expect((await queryBadge(other)).notifications).toBe(unread + 1);

    // The way back is the same with the sides changed.
    const back = await copyCommand(second, first.table);
    const killed = await back.begin('carry', '--rate', '100000');
    await killed.says('"state"');
    killed.signal('SIGKILL');
    await killed.ended;
    const returning = await back.begin('carry');
    await returning.says('"FOLLOWING"');
    expect(await back.run('verify')).toMatchObject({ code: 0 });
    await next.stop();
    returning.signal('SIGTERM');
    await returning.ended;
    await handOverKilled(back, second, first);
    const again = await startTestApp({ database: first, shapeMs: 1_000 });
    onTestFinished(() => again.stop());
    await again.quiet();
    expect((await queryBadge(await userOf(again, other.handle))).notifications).toBe(unread + 1);
  },
  timeout,
);

onEmbedded(
  'carry: refuses in one sentence what it cannot do, and changes nothing',
  async () => {
    const first = await openTestDynamo();
    onTestFinished(() => first.stop());
    const refused = async (target: string, command: string, ...options: string[]) => {
      const { code, stdout, stderr } = await (await copyCommand(first, target)).run(command, ...options);
      expect([code, stdout]).toEqual([1, '']);
      return stderr;
    };
    const before = await dump(first.dynamo);
    expect(await refused(first.table, 'carry')).toBe('The target is the table itself. Name another one.\n');
    expect(await refused(`${first.table}-none`, 'carry')).toBe(
      `There is no table ${first.table}-none. Add --create, or name an existing one.\n`,
    );
    for (const command of ['verify', 'status', 'hand-over', 'switch'])
      expect(await refused(`${first.table}-none`, command)).toBe(
        `There is no table ${first.table}-none. Name an existing one.\n`,
      );
    expect(await refused('x', 'carry')).toMatch(/^--to-table must be the name of a table/);
    const full = await tableBeside(first, `${first.table}-full`);
    for (const command of ['verify', 'status', 'hand-over'])
      expect(await refused(full.table, command)).toBe(
        `The table ${full.table} is not a copy of this one. Begin with \`carry\`.\n`,
      );
    await full.dynamo.put({ ...keys.room('r1'), v: 1 });
    expect(await refused(full.table, 'carry')).toBe(
      `The table ${full.table} has items and is not a copy of this one. Name an empty table.\n`,
    );
    expect(await refused(full.table, 'carry', ...CREATE)).toBe(
      `The table ${full.table} exists, and its keys are pk,sk,gsi1pk,gsi1sk, not ${CREATE.at(-1)}. Leave --to-keys out, or name a new table.\n`,
    );
    expect(await dump(first.dynamo)).toEqual(before);

    // A copy that is not complete, and one that differs.
    await first.dynamo.put({ ...keys.room('r1'), v: 1 });
    const name = `${first.table}-copy`;
    const copy = await copyCommand(first, name);
    const slow = await copy.begin('carry', '--create', '--rate', '1', '--metrics-port', '0');
    await slow.says('"COPYING"');
    await slow.says(/metrics at \S+\n/);
    const [, url = ''] = /metrics at (\S+)\/metrics\n/.exec(slow.stderr) ?? [];
    const { text } = await readMetrics(url);
    expect(text).toMatch(/^tsudoi_carry_lag_seconds [\d.]+$/m);
    expect(await refused(name, 'status', '--metrics-port', '0')).toBe(
      '--metrics-port is only for `carry`, `hand-over` and `switch`.\n',
    );
    expect(await refused(name, 'verify')).toBe('Not everything is copied yet. See `status`.\n');
    expect(await refused(name, 'hand-over')).toBe('Not everything is copied yet. See `status`.\n');
    expect(last((await copy.run('rate', '--rate', '100000')).stdout)).toMatchObject({ rate: 100_000 });
    await slow.says('"FOLLOWING"');
    // What is in the copy alone is not carried by anything.
    const found = await tableBeside(first, name);
    await found.dynamo.put({ ...keys.room('r2'), v: 1 });
    const verified = await copy.run('verify');
    expect([verified.code, last(verified.stdout)]).toMatchObject([1, { round: 1, differences: 1 }]);
    expectProgress(verified.stderr);
    expect(verified.stderr).toContain(
      '1 item differs, such as "ROOM#r2\\nROOM", and `carry` has nothing left to carry. Copy into an empty table.',
    );
    expect(last((await copy.run('status')).stdout)).toMatchObject({ state: 'FOLLOWING', verified: false });
    slow.signal('SIGTERM');
    await slow.ended;
    expect(await refused(name, 'hand-over')).toBe(
      'The copy is not verified. Run `verify` while `carry` is running.\n',
    );
    const other = await tableBeside(first, `${first.table}-other`);
    expect((await (await copyCommand(other, name)).run('carry')).stderr).toBe(
      `The table ${name} is a copy of another table, ${first.table}. Name an empty one.\n`,
    );
  },
  600_000,
);
