import { run as runUntilEnd } from '../../../process/support/run.ts';
import { programFile } from '../../../support/builds/build.ts';
import type { Program } from '../../../support/servers/program.ts';
import type { Gateway } from './gateway.ts';
import { forgetKilled, type KeptServerOptions } from './servers.ts';

export interface OperatorOptions extends Pick<KeptServerOptions, 'tables' | 'env' | 'onKill' | 'onFault'> {
  readonly gateway: Gateway;
  readonly random: () => number;
}

/** Requests to the database of a command that was not run yet. */
const UNKNOWN_REQUESTS = 15;
/** Requests within which a command that goes on is killed. A carrier makes them in about a second. */
const GOES_ON_REQUESTS = 150;

/** Runs commands, of which each is killed at a random request until it was killed often enough. */
export function createOperator({ gateway, random, onKill, onFault, ...options }: OperatorOptions) {
  /** The most requests that each command has needed. */
  const needed = new Map<string, number>();

  async function begin(table: string, command: string, args: readonly string[]): Promise<Program> {
    return runUntilEnd({
      command: [process.execPath, await programFile('cli/reshape'), command, ...args],
      env: {
        DYNAMODB_ENDPOINT: gateway.endpoint,
        TABLE_NAME: table,
        LOG_LEVEL: 'silent',
        ...options.env,
      },
    });
  }

  function armed(
    command: string,
    program: () => Program | undefined,
    most = needed.get(command) ?? UNKNOWN_REQUESTS,
  ): { wasKilled: boolean } {
    const state = { wasKilled: false };
    gateway.arm({
      request: 1 + Math.floor(random() * most),
      when: random() < 0.5 ? 'before' : 'after',
      kill() {
        state.wasKilled = true;
        program()?.signal('SIGKILL');
        onKill();
      },
    });
    return state;
  }

  function noted(command: string): void {
    needed.set(command, Math.max(gateway.requests, needed.get(command) ?? 0));
    gateway.disarm();
  }

  /** Runs a command, which may be killed. Resolves to its output, and undefined in place of a code if it was killed. */
  async function run(table: string, command: string, { args = [], kill = false }: RunOptions = {}) {
    let program: Program | undefined;
    gateway.disarm();
    const state = kill ? armed(command, () => program) : { wasKilled: false };
    program = await begin(table, command, args);
    const { code } = await program.ended;
    noted(command);
    const { stdout, stderr } = program;
    if (state.wasKilled) await forgetKilled({ gateway, ...options });
    else if (/\n\s+at /.test(stderr)) onFault(`${command} failed with a stack: ${stderr}`);
    return { code: state.wasKilled ? undefined : code, stdout, stderr };
  }

  /** Runs a command that goes on after it has said a text, and kills it then. Resolves as `run` does. */
  async function runBeyond(table: string, command: string, { args = [], says }: BeyondOptions) {
    gateway.disarm();
    const program = await begin(table, command, args);
    const isSaid = await program.says(says).then(
      () => true,
      () => false,
    );
    noted(command);
    const state = isSaid ? armed(command, () => program, GOES_ON_REQUESTS) : { wasKilled: false };
    const { code } = await program.ended;
    gateway.disarm();
    if (state.wasKilled) await forgetKilled({ gateway, ...options });
    return { code: state.wasKilled ? undefined : code, stderr: program.stderr };
  }

  /**
   * Starts a command that runs until it is stopped, and starts it again whenever it was killed, until it has said a
   * text and has no kills left. `kills`: how many of its starts are killed.
   */
  async function keep(table: string, command: string, { args = [], kills = 0, says }: KeepOptions) {
    for (let left = kills; ; left--) {
      let program: Program | undefined;
      gateway.disarm();
      const state = left > 0 ? armed(command, () => program) : { wasKilled: false };
      program = await begin(table, command, args);
      const isSaid = await program.says(says).then(
        () => true,
        () => false,
      );
      // A kill later than that is one while it follows.
      if (isSaid && left <= 0) {
        noted(command);
        return program;
      }
      if (isSaid) {
        noted(command);
        program.signal('SIGKILL');
        if (!state.wasKilled) onKill();
      } else if (!state.wasKilled) {
        onFault(`${command} has ended: ${program.stdout}${program.stderr}`);
      }
      await program.ended;
      noted(command);
      await forgetKilled({ gateway, ...options });
    }
  }

  return { run, runBeyond, keep };
}

interface RunOptions {
  readonly args?: readonly string[];
  readonly kill?: boolean;
}

interface BeyondOptions {
  readonly args?: readonly string[];
  readonly says: string;
}

interface KeepOptions extends BeyondOptions {
  readonly kills?: number;
}
