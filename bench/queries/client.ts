/** The load, in a separate process: POST requests over connections that stay open. */
import { Agent, request } from 'node:http';
import { inParallel, serve } from '../support.ts';

interface Load {
  readonly url: string;
  readonly token: string;
  readonly body: string;
  readonly count: number;
  readonly width: number;
}

const agent = new Agent({ keepAlive: true });

const post = ({ url, token, body }: Load) =>
  new Promise<string>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: 'application/graphql-response+json, application/json',
    };
    const sent = request(`${url}/graphql`, { agent, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${response.statusCode}: ${answer}`));
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });

serve(
  async (message) => {
    const load = message as unknown as Load;
    let answer = '';
    const start = performance.now();
    await inParallel(load.count, load.width, async () => {
      answer = await post(load);
      if (answer.includes('"errors"')) throw new Error(answer.slice(0, 500));
    });
    return { answer, ms: performance.now() - start };
  },
  async () => agent.destroy(),
);
