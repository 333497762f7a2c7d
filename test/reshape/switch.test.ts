/** What ends a switch to another table: a process that does not take part, a command that is killed, and time. */
import { expect, onTestFinished, test } from 'vitest';
import { keys } from '../../src/dynamo/keys.ts';
import { changeUse } from '../../src/reshape/carry/marks.ts';
import { changeState, readState } from '../../src/reshape/carry/state.ts';
import { type Heartbeat, heartbeatItem, readHeartbeats } from '../../src/reshape/heartbeats.ts';
import type { SwitchOptions } from '../../src/reshape/switch/switchTable.ts';
import { readTableShape, type TablePlace } from '../../src/reshape/tableShape.ts';
import { queryBadge } from '../support/clients/badges.ts';
import { Timeline } from '../support/clients/operations.ts';
import { messageKey, people, roomOf, say, userOf } from '../support/clients/people.ts';
import { onDynamoDbLocal, openTestDynamo, type TestDynamo } from '../support/database/dynamo.ts';
import { startTestApp } from '../support/servers/app.ts';
import { eventually } from '../support/time/eventually.ts';
import { recount } from '../verify/support/recount.ts';
import { copyCommand, tableBeside } from './support/copy.ts';
import { copyTo, switchBetween, tableAndCopy } from './support/switching.ts';

/**
 * The command has the product's time limits, in which DynamoDB Local, under load, does not answer. See
 * `copying.test.ts`.
 */
const onEmbedded = test.skipIf(onDynamoDbLocal);

/** A server, and the copy of its table. */
async function serverAndCopy() {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const second = await tableBeside(first, `${first.table}-2`);
  const app = await startTestApp({ database: first, shapeMs: 200, shapeBelievedMs: undefined });
  onTestFinished(() => app.stop());
  const [aki, ben] = await people(app, 2);
  const roomId = await roomOf(aki, [ben]);
  await say(aki, roomId, `One for @${ben.handle}`);
  await copyTo(first, second);
  return {
    first,
    second,
    app,
    aki,
    ben,
    roomId,
    /** Sends a message, which leads to a notification, in the table in use. */
    async goesOnIn(database: TestDynamo): Promise<void> {
      // It sees that a switch was taken back a moment later.
      const { notifications } = await eventually(() => queryBadge(ben));
      await say(aki, roomId, `More for @${ben.handle}`);
      await app.quiet();
      expect((await queryBadge(ben)).notifications).toBe(notifications + 1);
      expect(await readTableShape(database.dynamo)).not.toHaveProperty('notInUse');
      expect(await readTableShape(database.dynamo)).not.toHaveProperty('moving');
      expect(await readHeartbeats(database.dynamo, Date.now())).toMatchObject([{ canMove: true }]);
    },
  };
}

/** A process that says something, and does nothing. */
const silent = (database: TestDynamo, more: Partial<Heartbeat>, now = Date.now()) =>
  database.dynamo.put(
    heartbeatItem({ server: 'silent', host: 'elsewhere', knows: [1], follows: 0, ...more }, now),
  );

const phaseIn = async ({ dynamo }: TestDynamo) => (await readTableShape(dynamo)).moving?.phase;

test('switch: names a process that cannot move, such as a function, and changes nothing', async () => {
  const { first, second, goesOnIn } = await serverAndCopy();
  const { version } = await readTableShape(first.dynamo);
  await silent(first, {});
  await expect(switchBetween(first, second)).rejects.toThrow(
    /^The process silent on elsewhere cannot change its table while it runs\. Stop it; /,
  );
  expect((await readTableShape(first.dynamo)).version).toBe(version);
  await first.dynamo.remove(keys.heartbeat('silent'));
  // One that was called two minutes ago.
  await silent(first, { rests: true }, Date.now() - 120_000);
  expect(await readHeartbeats(first.dynamo, Date.now())).toMatchObject([{ canMove: true }]);
  await expect(switchBetween(first, second)).rejects.toThrow(
    'The function silent on elsewhere was called within the last hour, and functions cannot change their table: use `hand-over`. If you have removed all of them, add --functions-removed.',
  );
  expect((await readTableShape(first.dynamo)).version).toBe(version);
  await goesOnIn(first);
});

test('switch: names a process that takes no ARN if a table is named by one, and changes nothing', async () => {
  const { first, second, goesOnIn } = await serverAndCopy();
  const { version } = await readTableShape(first.dynamo);
  const arns = [first, second].map(({ streamArn }) => streamArn.slice(0, streamArn.indexOf('/stream/')));
  const [sourcePlace, place] = arns.map((table) => ({ table })) as [TablePlace, TablePlace];
  await silent(first, { canMove: true });
  for (const byArn of [{ place }, { sourcePlace }])
    await expect(switchBetween(first, second, byArn)).rejects.toThrow(
      /^The process silent on elsewhere is of a release that takes no ARN of a table\. Stop it, /,
    );
  expect((await readTableShape(first.dynamo)).version).toBe(version);
  await first.dynamo.remove(keys.heartbeat('silent'));
  expect(await switchBetween(first, second, { place, sourcePlace })).toMatchObject({ servers: 1, late: [] });
  await goesOnIn(second);
});

test('switch: functions that were removed do not count, unless one of them is called after all', async () => {
  const { first, second, goesOnIn } = await serverAndCopy();
  const called = (now: number) => silent(first, { rests: true }, now);
  await called(Date.now());
  await expect(switchBetween(first, second, { functionsRemoved: true })).rejects.toThrow(
    'The function silent on elsewhere was called within the last minute. Stop it, wait a minute, and run this again.',
  );
  await called(Date.now() - 120_000);
  expect(await switchBetween(first, second, { functionsRemoved: true })).toMatchObject({ servers: 1 });
  await goesOnIn(second);
});

test('switch: is taken back if a process does not get ready, or does not stop writing, and works when it is gone', async () => {
  const { first, second, goesOnIn } = await serverAndCopy();
  await silent(first, { canMove: true });
  await expect(switchBetween(first, second, { readyMs: 500 })).rejects.toThrow(
    /^The process \w+ on \S+ has not opened the other table in time\./,
  );
  await first.dynamo.remove(keys.heartbeat('silent'));
  await goesOnIn(first);

  const phases: string[] = [];
  const { version } = await readTableShape(first.dynamo);
  // It is suspended when it is ready.
  await silent(first, { canMove: true, readyFor: version + 1 });
  const onPhase: SwitchOptions['onPhase'] = (phase) => phases.push(phase);
  await expect(switchBetween(first, second, { withinMs: 1_000, onPhase })).rejects.toThrow(
    /^The process \w+ on \S+ has not stopped writing in time; .+ The table in use is the same as before\.$/,
  );
  expect(phases).toEqual(['announced', 'frozen']);
  await first.dynamo.remove(keys.heartbeat('silent'));
  await goesOnIn(first);

  expect(await switchBetween(first, second)).toMatchObject({ servers: 1, late: [] });
  await goesOnIn(second);
  await expect(startTestApp({ database: first })).rejects.toThrow(`The table in use is ${second.table}.`);
});

test('switch: is taken back if what is left takes longer than servers may wait', async () => {
  const { first, second, aki, roomId, goesOnIn } = await serverAndCopy();
  let refusal: string | undefined;
  const never: SwitchOptions['catchUp'] = async (signal) => {
    // Requests wait for a second, and are refused then.
    refusal = await aki.refused(Timeline, { roomId });
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  await expect(switchBetween(first, second, { withinMs: 8_000, catchUp: never })).rejects.toThrow(
    'What was left to carry took longer than the 8000 ms that servers may wait. The table in use is the same as before. Run this again, or with more time: --within.',
  );
  expect(refusal).toBe('UNAVAILABLE');
  await goesOnIn(first);
});

test('switch: handles what no consumer has handled, because those of the other table begin behind it', async () => {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const second = await tableBeside(first, `${first.table}-2`);
  const whole = await startTestApp({ database: first });
  onTestFinished(() => whole.stop());
  const [aki, ben] = await people(whole, 2);
  const roomId = await roomOf(aki, [ben]);
  await whole.quiet();
  await whole.stop();
  const api = await startTestApp({ database: first, role: 'api', shapeMs: 200, shapeBelievedMs: undefined });
  onTestFinished(() => api.stop());
  const [author, reader] = [await userOf(api, aki.handle), await userOf(api, ben.handle)];
  for (const body of ['One', 'Two']) await say(author, roomId, `${body} for @${ben.handle}`);
  expect(await queryBadge(reader)).toMatchObject({ notifications: 0 });
  await copyTo(first, second);
  expect(await switchBetween(first, second)).toMatchObject({ servers: 1, late: [] });
  expect(await queryBadge(reader)).toMatchObject({ notifications: 2 });
  expect(await recount(second.dynamo)).toEqual([]);
});

test('switch: a server that starts waits for it, and takes it back if every process was killed', async () => {
  const first = await openTestDynamo({ file: true });
  onTestFinished(() => first.stop());
  const second = await tableBeside(first, `${first.table}-2`);
  const inUse = { table: second.table, stream: second.streamArn };
  const freeze = (withinMs: number) =>
    changeUse(first.dynamo, {
      moving: { ...inUse, place: { table: second.table }, phase: 'frozen', withinMs },
      notInUse: inUse,
    });
  await freeze(500);
  const app = await startTestApp({ database: first });
  onTestFinished(() => app.stop());
  const [aki] = await people(app, 1);
  await say(aki, await roomOf(aki), 'Here');
  expect(await readTableShape(first.dynamo)).not.toHaveProperty('notInUse');
  await app.stop();

  await freeze(300_000);
  const starts = startTestApp({ database: first });
  await changeUse(first.dynamo, { notInUse: { ...inUse, place: { table: second.table } } });
  await expect(starts).rejects.toThrow(`The table in use is ${second.table}.`);
});

test('switch: a command that was suspended while servers took it back changes nothing', async () => {
  const { first, second, goesOnIn } = await serverAndCopy();
  const late: SwitchOptions['catchUp'] = async () => {
    await changeUse(first.dynamo, {});
  };
  await expect(switchBetween(first, second, { catchUp: late })).rejects.toThrow(
    /^A server or another command has taken it back\./,
  );
  await goesOnIn(first);
  expect((await readTableShape(second.dynamo)).notInUse?.stream).toBe(first.streamArn);
});

test('switch: servers take back what a command has left that was killed, and end what was decided', async () => {
  const { first, second, goesOnIn } = await serverAndCopy();
  const { dynamo } = first;
  const inUse = { table: second.table, stream: second.streamArn, place: { table: second.table } };
  const isStopped = async () => {
    const { version } = await readTableShape(dynamo);
    expect(await readHeartbeats(dynamo, Date.now())).toMatchObject([{ stoppedFor: version }]);
  };
  const notInUse = { table: inUse.table, stream: inUse.stream };

  await changeUse(dynamo, { moving: { ...inUse, phase: 'announced', withinMs: 300 } });
  await eventually(async () => expect(await phaseIn(first)).toBeUndefined());
  await goesOnIn(first);

  await changeUse(dynamo, { moving: { ...inUse, phase: 'announced', withinMs: 60_000 } });
  const isReady = async () => {
    const { version } = await readTableShape(dynamo);
    expect(await readHeartbeats(dynamo, Date.now())).toMatchObject([{ readyFor: version }]);
  };
  await eventually(isReady);
  await changeUse(dynamo, { moving: { ...inUse, phase: 'frozen', withinMs: 60_000 }, notInUse });
  await eventually(isStopped);
  // The same version, so that the time of the freeze is over at once.
  const shape = await dynamo.get(keys.shape());
  await dynamo.put({ ...keys.shape(), ...shape, moving: { ...inUse, phase: 'frozen', withinMs: 0 } });
  await eventually(async () => expect(await phaseIn(first)).toBeUndefined());
  await goesOnIn(first);

  // Killed after the decision: only the source says so.
  const onPhase: SwitchOptions['onPhase'] = (phase) => {
    if (phase === 'decided') throw new Error('Killed.');
  };
  await expect(switchBetween(first, second, { onPhase })).rejects.toThrow('Killed.');
  await eventually(async () => expect(await readHeartbeats(dynamo, Date.now())).toEqual([]));
  await goesOnIn(second);
  await expect(switchBetween(first, second)).resolves.toMatchObject({ servers: 1, late: [] });
});

onEmbedded(
  'switch: the command is killed while servers wait, and does it when it is run again',
  async () => {
    const { first, second, goesOnIn } = await serverAndCopy();
    const command = await copyCommand(first, second.table);
    const killed = await command.begin('switch', '--within', '10000');
    await killed.says('servers have stopped writing');
    killed.signal('SIGKILL');
    await killed.ended;
    // A machine may be too slow for it.
    await eventually(async () => {
      const { code, stdout, stderr } = await command.run('switch', '--within', '10000', '--no-way-back');
      expect([code, stderr]).toEqual([0, expect.stringContaining('servers go on in the other table…')]);
      expect(stdout).toMatch(
        new RegExp(
          `^\\{"frozenMs":\\d+,"servers":1,"late":0\\}\\nThe table in use is ${second.table}\\. Set`,
        ),
      );
    });
    await goesOnIn(second);
  },
  300_000,
);

onEmbedded(
  'switch: the command goes on, killed or not, and the former table follows until it is used again',
  async () => {
    const { first, second, aki, ben, roomId, app, goesOnIn } = await serverAndCopy();
    const there = await copyCommand(first, second.table);
    const back = await copyCommand(second, first.table);
    const isCarried = async ({ id }: { readonly id: string }) => {
      const { room, threadTs, ts } = messageKey(id);
      const { dynamo } = first;
      await eventually(
        async () => expect(await dynamo.get(keys.message(room, threadTs, ts))).toBeDefined(),
        100,
      );
    };
    const goingOn = async () => {
      // A machine may be too slow for it.
      const command = await eventually(async () => {
        const begun = await there.begin('switch', '--within', '10000', '--rate', '100000');
        await begun.says('"FOLLOWING"');
        return begun;
      });
      expect(command.stderr).toContain(`${first.table} follows what changes from now on`);
      return command;
    };
    const killed = await goingOn();
    await goesOnIn(second);
    await isCarried(await say(aki, roomId, 'While it follows'));
    killed.signal('SIGKILL');
    await killed.ended;
    const { notifications } = await queryBadge(ben);
    const stopped = await back.run('status');
    expect(JSON.parse(stopped.stdout)).toMatchObject({ followed: false });
    expect(stopped.stderr).toContain(`No process follows: ${first.table} lacks what has changed since.`);
    const between = await say(aki, roomId, 'While no command was running');
    const again = await goingOn();
    await isCarried(between);
    expect(JSON.parse((await back.run('status')).stdout)).toMatchObject({ followed: true });
    expect(await back.run('verify')).toMatchObject({ code: 0 });
    expect((await back.run('switch')).stderr).toContain('Another command carries into this table.');
    again.signal('SIGTERM');
    expect(await again.ended).toMatchObject({ code: 0 });
    await eventually(async () =>
      expect(await back.run('switch', '--within', '10000', '--no-way-back')).toMatchObject({ code: 0 }),
    );
    await app.quiet();
    expect((await queryBadge(ben)).notifications).toBe(notifications);
    await goesOnIn(first);
    await eventually(async () => expect(await recount(first.dynamo)).toEqual([]));
  },
  300_000,
);

onEmbedded(
  'switch: the command waits until no process uses the former table, before it says that it follows',
  async () => {
    const { first, second } = await tableAndCopy();
    const table = await copyCommand(first, second.table);
    // A machine may be too slow for it.
    await eventually(async () =>
      expect(await table.run('switch', '--within', '10000', '--no-way-back')).toMatchObject({ code: 0 }),
    );
    const uses = (server: string) =>
      first.dynamo.put(
        heartbeatItem(
          { server, host: 'elsewhere', knows: [1], follows: 0, canMove: true },
          Date.now() + 3_600_000,
        ),
      );
    await uses('late');
    const [waiting, ended] = await Promise.all([table.begin('switch'), table.begin('switch')]);
    const waitsFor = (server: string) =>
      `waiting until the server ${server} on elsewhere does not use ${first.table}…\n`;
    await Promise.all([waiting, ended].map((one) => one.says(waitsFor('late'))));
    ended.signal('SIGTERM');
    expect(await ended.ended).toMatchObject({ code: 0 });
    await uses('another');
    await first.dynamo.remove(keys.heartbeat('late'));
    await waiting.says(waitsFor('another'));
    const follows = `${first.table} follows what changes from now on`;
    for (const { stdout, stderr } of [waiting, ended]) {
      expect(stderr).not.toContain(follows);
      expect(stderr.split(waitsFor('late'))).toHaveLength(2);
      expect(stdout).toContain(`The table in use is ${second.table}.`);
    }
    await first.dynamo.remove(keys.heartbeat('another'));
    await waiting.says('"FOLLOWING"');
    expect(waiting.stderr).toContain(follows);
    waiting.signal('SIGTERM');
    expect(await waiting.ended).toMatchObject({ code: 0 });
  },
  300_000,
);

test.each(['former', 'other'])(
  'switch: all processes ended when it was decided, and the next one that starts with the %s table ends it',
  async (which) => {
    const first = await openTestDynamo({ file: true });
    onTestFinished(() => first.stop());
    const second = await tableBeside(first, `${first.table}-2`);
    await copyTo(first, second);
    await changeState(second.dynamo, { place: { table: first.table } });
    // Nothing is decided yet.
    await expect(startTestApp({ database: second })).rejects.toThrow(`The table in use is ${first.table}.`);
    const place = { table: second.table };
    await changeUse(first.dynamo, { notInUse: { table: second.table, stream: second.streamArn, place } });
    if (which === 'former')
      await expect(startTestApp({ database: first })).rejects.toThrow(`The table in use is ${second.table}.`);
    else {
      const app = await startTestApp({ database: second });
      await app.stop();
    }
    expect(await readTableShape(second.dynamo)).not.toHaveProperty('notInUse');
    expect(await readState(second.dynamo)).toBeUndefined();
  },
);

test('switch: a process of an earlier release that starts when it was announced is named at once', async () => {
  const { first, second, goesOnIn } = await serverAndCopy();
  let started: Promise<void> | undefined;
  const onPhase: SwitchOptions['onPhase'] = () => {
    started ??= silent(first, {});
  };
  await expect(switchBetween(first, second, { onPhase })).rejects.toThrow(
    /^The process silent on elsewhere cannot change its table while it runs\./,
  );
  await started;
  await first.dynamo.remove(keys.heartbeat('silent'));
  await goesOnIn(first);
});
