/** The server under test, in a separate process. */
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { serve } from '../support.ts';
import { graphqlWs } from './servers/graphqlWs.ts';
import { socketIo } from './servers/socketIo.ts';
import { tsudoi } from './servers/tsudoi.ts';
import { ws } from './servers/ws.ts';
import { type SubjectName, subjects } from './subjects.ts';

const servers = { ws, graphqlWs, socketIo, tsudoi };

export type Kind = keyof typeof servers;

interface Argument {
  readonly kind: Kind;
  readonly subject: SubjectName;
  readonly people: number;
}

const { kind, subject, people } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const { perRound } = subjects[subject];
const server = await servers[kind](subjects[subject], people);

/** Bytes of the process, and of it the JavaScript heap, after everything unused was collected. */
async function memory(): Promise<{ readonly rss: number; readonly heap: number }> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) {
    await wait(200);
    collect();
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heap: heapUsed };
}

serve(
  async ({ command, round, frame }) => {
    if (command === 'address') {
      const { url, variables } = server;
      return { url, variables };
    }
    if (command === 'cpu') {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    }
    if (command === 'memory') return memory();
    await Promise.all(
      Array.from({ length: perRound }, (_, i) => server.tell(Number(round) * perRound + i, String(frame))),
    );
    return null;
  },
  () => server.stop(),
);
