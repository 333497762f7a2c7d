import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { type App, createApp, type Started } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config.ts';
import { programFile } from '../../support/builds/build.ts';
import { createHandled } from '../../support/servers/handled.ts';
import { type CommandResult, commandResult, runProgram } from '../../support/servers/program.ts';

/** Runs a command to its end. The built command starts several times faster than `npm run`. */
export async function command(
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<CommandResult> {
  const program = await runProgram({
    command: [process.execPath, await programFile(`cli/${name}`), ...args],
    env,
  });
  return commandResult(program);
}

export interface Serving extends Started {
  readonly app: App;
  /** Resolves when its consumer has derived everything, also from the writes of other processes. */
  readonly quiet: () => Promise<void>;
}

/** A server with its consumer on the directory. If the directory is new, it has the demo users. */
export async function serve(DATA_DIR: string): Promise<Serving> {
  const { wrapDispatcher, quiet } = createHandled();
  const app = createApp(loadConfig({ DATA_DIR, PORT: '0' }), pino({ level: 'silent' }), { wrapDispatcher });
  onTestFinished(() => app.stop());
  const started = await app.start();
  return { ...started, app, quiet: () => quiet(started.dynamo) };
}
