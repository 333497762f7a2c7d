/** The load, in a separate process: POST requests over connections that stay open. */
import { Agent } from 'node:http';
import { inParallel, postGraphQL, serve } from '../support.ts';

interface Load {
  readonly url: string;
  readonly token: string;
  readonly body: string;
  readonly count: number;
  readonly width: number;
}

const agent = new Agent({ keepAlive: true });

serve(
  async (message) => {
    const load = message as unknown as Load;
    let answer = '';
    const start = performance.now();
    await inParallel(load.count, load.width, async () => {
      answer = await postGraphQL({ agent, ...load });
    });
    return { answer, ms: performance.now() - start };
  },
  async () => agent.destroy(),
);
