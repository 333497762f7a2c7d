/** The program: the only reader of the environment and of signals. */
import { createApp, type Started } from './app.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { EmbeddedUnavailable } from './dynamo/embedded/unavailable.ts';
import { createLog } from './log.ts';

/** A stop that hangs is given up on; what was acknowledged is stored already. */
const STOP_WITHIN_MS = 15_000;

async function main(): Promise<void> {
  const config = loadConfig(process.env);
  const log = createLog({ level: config.logLevel, pretty: process.stderr.isTTY === true });
  const app = createApp(config, log);

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    // A terminal's Ctrl-C and a process manager may both send one.
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'Stopping.');
    setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
    app.stop().then(
      () => process.exit(0),
      (err: unknown) => {
        log.error({ err }, 'Could not stop cleanly.');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('SIGHUP', stop);
  process.on('unhandledRejection', (err) =>
    log.error({ err }, 'A promise was rejected and nobody listened.'),
  );

  const started = await app.start();
  if (!stopping) process.stdout.write(welcome(config, started));
}

function welcome(config: Config, { url, tokens }: Started): string {
  const lines = [`Tsudoi is ready at ${url}`];
  if (config.graphiql && config.role !== 'worker') lines.push(`  GraphiQL   ${url}/graphql`);
  if (config.auth.kind === 'development') {
    lines.push('  No AUTH_* is set: this is for development, and only this machine can reach it.');
  }
  for (const { name, token } of tokens) lines.push('', `  Token of ${name}:`, `  ${token}`);
  return `${lines.join('\n')}\n`;
}

main().catch((error: unknown) => {
  // What the operator can mend is said in one message; everything else is a fault, with its place.
  const plain = error instanceof ConfigError || error instanceof EmbeddedUnavailable;
  process.stderr.write(`${plain ? error.message : `Tsudoi could not start: ${describe(error)}`}\n`);
  process.exit(1);
});

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.message : (error.stack ?? error.message);
}
