import { expect } from 'vitest';
import { readTableShape } from '../../../../src/reshape/tableShape.ts';
import type { TestDynamo } from '../../../support/database/dynamo.ts';
import { eventually } from '../../../support/time/eventually.ts';
import type { Whole } from './system.ts';

export interface LegOptions {
  readonly whole: Whole;
  readonly random: () => number;
  readonly onFault: (what: string) => void;
  /** Runs something while users do nothing. */
  readonly quietly: <T>(run: () => Promise<T>) => Promise<T>;
}

/** A server's requests until it is killed: it makes some fifty a second. */
const SERVER_REQUESTS = 300;
const RATE = ['--rate', '100000'];
/** A machine may be too slow for the second that is usual. */
const WITHIN = ['--within', '10000'];
/** What `switch` says if it was taken back: it is run again then. */
const TAKEN_BACK =
  /has not stopped writing in time|OutageError|has not opened the other table in time|took longer than|has taken it back|is there again|does not respond/;

/** The exit code of `verify` if it is not known whether the tables are equal. */
const UNDECIDED = 2;
/** How often a command is run that was not done, because a server was killed meanwhile or the machine is busy. */
const TRIES = 10;

/** A command takes seconds, so this is bounded by a number, and not by a time as `eventually` is. */
async function again(attempt: () => Promise<void>, left = TRIES): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    if (left <= 1) throw error;
    await again(attempt, left - 1);
  }
}

/**
 * Makes what an operator does for one move: converts the table in place, forth and sometimes back, copies it, compares,
 * and switches. Each command is killed and run again, and so are the servers.
 */
export function createLeg({ whole, random, onFault, quietly }: LegOptions) {
  const { first, second, servers, operator, comparer, carrier, use } = whole;
  let legs = 0;

  function armServer(): void {
    const server = servers[random() < 0.5 ? 0 : 1];
    server?.armed(1 + Math.floor(random() * SERVER_REQUESTS), random() < 0.5 ? 'before' : 'after');
  }

  /** Runs a command until the table says that it is done. The first runs may be killed. */
  async function until(from: TestDynamo, command: string, isDone: () => Promise<boolean>): Promise<void> {
    const args = command === 'finish' ? [] : RATE;
    const kills = 1 + Math.floor(random() * 2);
    for (let n = 0; n < kills; n++) await operator.run(from.table, command, { args, kill: true });
    await again(async () => {
      if (await isDone()) return;
      const { code, stderr } = await operator.run(from.table, command, { args });
      expect(await isDone(), `${command} has ended with ${code}: ${stderr}`).toBe(true);
    });
  }

  const shapeOf = ({ dynamo }: TestDynamo) => readTableShape(dynamo);
  const converted = (from: TestDynamo) =>
    eventually(async () => expect((await shapeOf(from)).change?.converted).toBe(true), 200);

  /** Converts the table in place, if it was not before. */
  async function convert(from: TestDynamo, isBack: boolean): Promise<void> {
    const { inForce, change } = await shapeOf(from);
    if (inForce !== 1 || change !== undefined) return;
    await until(from, 'start', async () => (await shapeOf(from)).inForce === 2);
    armServer();
    if (!isBack) await converted(from);
    else await until(from, 'back', async () => (await shapeOf(from)).inForce === 1);
    await converted(from);
    await until(from, 'finish', async () => (await shapeOf(from)).change === undefined);
  }

  async function copy(from: TestDynamo, to: TestDynamo) {
    const args = ['--to-table', to.table];
    // What the first switch began was killed, too.
    const kills = Math.floor(random() * 2) + (legs === 2 ? 0 : 1);
    const carrying = await carrier.keep(from.table, 'carry', {
      args: [...args, ...RATE],
      kills,
      says: '"FOLLOWING"',
    });
    armServer();
    await comparer.run(from.table, 'verify', { args, kill: true });
    await verify(from, args);
    return carrying;
  }

  /**
   * Compares beside users. If it is not known whether the tables are equal, because the carrier of a busy machine does
   * not keep up, then while they rest: what is lost is still lost then. If they differ, the model fails.
   */
  async function verify(from: TestDynamo, args: readonly string[]): Promise<void> {
    async function isKnown(): Promise<boolean> {
      const { code, stdout, stderr } = await comparer.run(from.table, 'verify', { args });
      if (code !== UNDECIDED) expect(code, `${stdout}${stderr}`).toBe(0);
      return code === 0;
    }
    let known = await isKnown();
    for (let left = TRIES; !known && left > 0; left--) known = await quietly(isKnown);
    expect(known, 'it is not known whether the tables are equal').toBe(true);
  }

  async function switchOver(from: TestDynamo, to: TestDynamo): Promise<void> {
    const withBack = ['--to-table', to.table, ...WITHIN];
    const args = [...withBack, '--no-way-back'];
    armServer();
    for (let kills = 1 + Math.floor(random() * 2); kills > 0 && use.current === from.table; kills--)
      await operator.run(from.table, 'switch', { args, kill: true });
    // The first goes on as the carrier back. Once: after a kill, the next carrier waits for 8 s.
    const goesOn = legs === 1;
    await again(async () => {
      const { code, stderr } = goesOn
        ? await operator.runBeyond(from.table, 'switch', {
            args: withBack,
            says: `The table in use is ${to.table}.`,
          })
        : await operator.run(from.table, 'switch', { args });
      if (code !== undefined && code !== 0 && !TAKEN_BACK.test(stderr)) onFault(`switch: ${stderr}`);
      expect(code, stderr).toBe(goesOn ? undefined : 0);
    });
    expect(use.current).toBe(to.table);
  }

  return async function leg(): Promise<void> {
    const [from, to] = use.current === first.table ? [first, second] : [second, first];
    const isBack = legs++ === 0 || random() < 0.3;
    const [, carrying] = await Promise.all([convert(from, isBack), copy(from, to)]);
    carrying.signal(random() < 0.5 ? 'SIGTERM' : 'SIGKILL');
    await carrying.ended;
    await switchOver(from, to);
    for (const server of servers) {
      server.disarm();
      await server.url();
    }
  };
}
