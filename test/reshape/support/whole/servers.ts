import type { Dynamo } from '../../../../src/dynamo/dynamo.ts';
import { keys } from '../../../../src/dynamo/keys.ts';
import { deployed } from '../../../process/support/run.ts';
import { type Program, runProgram } from '../../../support/servers/program.ts';
import type { Gateway } from './gateway.ts';
import type { TableUse } from './tableUse.ts';

/** A server that is started again, as an orchestrator does it, whenever it was killed. */
export interface KeptServer {
  /** Resolves when it serves. */
  url(): Promise<string>;
  /** Kills it at a request to the database. */
  armed(request: number, when: 'before' | 'after'): void;
  disarm(): void;
  stop(): Promise<void>;
}

export interface KeptServerOptions {
  readonly gateway: Gateway;
  readonly use: TableUse;
  /** What is set up beside the database. */
  readonly env: Readonly<Record<string, string>>;
  /** Both tables. */
  readonly tables: readonly Dynamo[];
  readonly onKill: () => void;
  /** Called if it ends for another reason than a kill. */
  readonly onFault: (what: string) => void;
}

/** The database did not answer a server in time, because the machine is busy. It is started again, as always. */
const OUTAGE = /OutageError|does not respond/;

/**
 * Without this, nothing could be switched or converted for a minute after each kill: that is how long a process counts
 * that has said that it is there. The test knows that it is not there any more.
 */
export async function forgetKilled({ gateway, tables }: Pick<KeptServerOptions, 'gateway' | 'tables'>) {
  await gateway.idle();
  for (const { remove } of tables) {
    for (const id of gateway.heartbeats) await remove(keys.heartbeat(id));
  }
}

export async function keepServer(options: KeptServerOptions): Promise<KeptServer> {
  const { gateway, use, onKill, onFault } = options;
  let program: Program;
  let serving: Promise<string>;
  let isStopping = false;
  let wasKilled = false;

  async function start(): Promise<string> {
    for (;;) {
      if (isStopping) throw new Error('It was stopped.');
      wasKilled = false;
      const table = use.current;
      const started = await runProgram({
        env: deployed({
          DYNAMODB_ENDPOINT: gateway.endpoint,
          TABLE_NAME: table,
          LOG_LEVEL: 'warn',
          ...options.env,
        }),
      });
      program = started;
      const url = await started.ready().then(
        (ready) => ready.url,
        () => undefined,
      );
      if (url !== undefined) {
        void started.ended.then(() => again(started));
        return url;
      }
      await started.ended;
      if (isStopping) throw new Error('It was stopped.');
      // Another table came into use while it started.
      const isFormer = started.stderr.includes('The table in use is ') || use.current !== table;
      const isRefused = !wasKilled && !isFormer && !OUTAGE.test(started.stderr);
      if (isRefused) onFault(`A server did not start: ${started.stdout}${started.stderr}`);
      if (wasKilled) await forgetKilled(options);
    }
  }

  function again(ended: Program): void {
    if (isStopping) return;
    if (!wasKilled) onFault(`A server has ended: ${ended.stdout}${ended.stderr}`);
    serving = forgetKilled(options).then(start);
    serving.catch(() => {});
  }

  serving = start();
  await serving;
  return {
    url: () => serving,
    armed: (request, when) =>
      gateway.arm({
        request,
        when,
        kill() {
          wasKilled = true;
          program.signal('SIGKILL');
          onKill();
        },
      }),
    disarm: gateway.disarm,
    async stop() {
      isStopping = true;
      await program.stop();
    },
  };
}
