/** The server under test, in a separate process. */
import { serve } from '../support.ts';
import { graphqlWs } from './servers/graphqlWs.ts';
import { tsudoi } from './servers/tsudoi.ts';
import { ws } from './servers/ws.ts';
import { type SubjectName, subjects } from './subjects.ts';

const servers = { ws, graphqlWs, tsudoi };

export type Kind = keyof typeof servers;

interface Argument {
  readonly kind: Kind;
  readonly subject: SubjectName;
  readonly people: number;
}

const { kind, subject, people } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const { perRound } = subjects[subject];
const server = await servers[kind](subjects[subject], people);

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
    await Promise.all(
      Array.from({ length: perRound }, (_, i) => server.tell(Number(round) * perRound + i, String(frame))),
    );
    return null;
  },
  () => server.stop(),
);
