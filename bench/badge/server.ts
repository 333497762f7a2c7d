/** The server under test, in a process of its own. */
import { serve } from '../support.ts';
import { graphqlWs } from './servers/graphqlWs.ts';
import { tsudoi } from './servers/tsudoi.ts';
import { ws } from './servers/ws.ts';

const servers = { ws, graphqlWs, tsudoi };

export type Kind = keyof typeof servers;

interface Argument {
  readonly kind: Kind;
  readonly people: number;
}

const { kind, people } = JSON.parse(process.argv[2] ?? '{}') as Argument;
const server = await servers[kind](people);

serve(
  async ({ command, text }) => {
    if (command === 'url') return server.url;
    if (command === 'cpu') {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    }
    await server.send(String(text));
    return null;
  },
  () => server.stop(),
);
