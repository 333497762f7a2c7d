/** The load, in a separate process: POST requests over connections that stay open. */
import { Agent } from 'node:http';
import { inParallel, postGraphQL, serve } from '../support.ts';

interface Load {
  readonly url: string;
  /** The requests take turns with them. */
  readonly tokens: readonly string[];
  readonly bodies: readonly string[];
  readonly count: number;
  readonly width: number;
}

const agent = new Agent({ keepAlive: true });

serve(
  async (message) => {
    const load = message as unknown as Load;
    let answer = '';
    const start = performance.now();
    const { url, tokens, bodies } = load;
    await inParallel(load.count, load.width, async (i) => {
      const [token = '', body = ''] = [tokens[i % tokens.length], bodies[i % bodies.length]];
      const text = await postGraphQL({ agent, url, token, body });
      if (i === 0) answer = text;
    });
    return { answer, ms: performance.now() - start };
  },
  async () => agent.destroy(),
);
