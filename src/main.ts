/** The program: the only reader of the environment and of signals. */

import { type App, createApp } from './app/app.ts';
import { welcome } from './app/welcome.ts';
import { ConfigError, loadConfig } from './config.ts';
import { StartError } from './core/errors.ts';
import { fileError } from './core/fileErrors.ts';
import { createLog, type Log } from './core/log.ts';
import { misspeltVariables } from './misspeltVariables.ts';

/**
 * A stop that hangs is cut short. Every acknowledged write is stored already. With the delay of 5 s on AWS, less than
 * the 30 s after which containers are killed there and in Kubernetes.
 */
const STOP_WITHIN_MS = 22_000;
/** One Ctrl-C arrives several times at once, from the terminal and from npm. A later one ends the process. */
const IMPATIENT_MS = 1_000;

async function main(): Promise<void> {
  // A full disk, or a reader that is gone: what cannot be printed is lost, and the server goes on.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {});
  for (const line of misspeltVariables(process.env)) process.stderr.write(`${line}\n`);
  const config = loadConfig(process.env);
  const log = createLog({ level: config.logLevel, pretty: process.stderr.isTTY === true });
  const app = createApp(config, log);
  const ending = createEnding(app, log, config.shutdownDelay * 1_000 + STOP_WITHIN_MS);

  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, ending.onSignal);
  process.on('unhandledRejection', (err) => log.error({ err }, 'A promise was rejected without a handler.'));
  void app.failed.then((error) => {
    process.stderr.write(`Tsudoi has to end: ${error.message}\n`);
    ending.end(1);
  });

  try {
    const started = await app.start();
    if (!ending.begun) process.stdout.write(welcome(config, started));
  } catch (error) {
    // A signal arrived during the start: the process is stopping already.
    if (!ending.begun) throw error;
  }
}

function createEnding(app: App, log: Log, withinMs: number) {
  let begun: number | undefined;

  /** Stops the app and ends the process, with `code` if the stop succeeds. */
  function end(code: number): void {
    if (begun !== undefined) return;
    begun = performance.now();
    setTimeout(() => process.exit(1), withinMs).unref();
    app.stop().then(
      () => process.exit(code),
      // The cause is in the log.
      () => process.exit(1),
    );
  }

  return {
    end,
    onSignal(signal: NodeJS.Signals): void {
      if (begun !== undefined && performance.now() - begun > IMPATIENT_MS) process.exit(1);
      if (begun === undefined) log.info({ signal }, 'Stopping.');
      end(0);
    },
    get begun() {
      return begun !== undefined;
    },
  };
}

/**
 * An error that the operator can correct, also of a file, is shown as its message; any other one is a fault, with its
 * stack.
 */
function describe(error: unknown): string {
  const known = [ConfigError, StartError].some((kind) => error instanceof kind);
  if (known && error instanceof Error) return error.message;
  const file = fileError(error);
  if (file !== undefined) return file.message;
  return `Tsudoi could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${describe(error)}\n`);
  process.exit(1);
});
