/** The smoke test against a server and a worker, each a process, with Redis and a DynamoDB. */
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Cluster, startCluster } from '../process/support/cluster.ts';
import { SECRET } from '../support/clients/tokens.ts';
import { runProgram } from '../support/servers/program.ts';
import { redisAvailable } from '../support/servers/redis.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function smoke(args: readonly string[], env: Readonly<Record<string, string>>) {
  const program = await runProgram({
    command: [process.execPath, '--import', 'tsx', 'scripts/smoke.ts', ...args],
    cwd: root,
    env,
  });
  onTestFinished(() => program.stop());
  return { ...(await program.ended), stdout: program.stdout, stderr: program.stderr };
}

describe.skipIf(!redisAvailable)('npm run smoke', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster?.stop());

  test('smoke: passes against a server and a worker, and leaves no room', async () => {
    const [api] = cluster.apis;
    const ended = await smoke([api, '--patience', '120'], { AUTH_SECRET: SECRET });
    expect(ended.stdout.replace(/^ *\d+ ms {2}/gm, '').split('\n')).toEqual([
      'the server is ready',
      'the token is accepted',
      'a room is created',
      'a websocket subscribes to the room',
      'it gets the badge',
      'a message is sent',
      'the message arrives at the websocket',
      'it is marked as unread',
      'the badge counts it',
      'the room is deleted',
      `${api} works.`,
      '',
    ]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('smoke: says at which step a token is refused, and that nothing is reached', async () => {
    const [api] = cluster.apis;
    const refused = await smoke([api], { SMOKE_TOKEN: 'not.a.token' });
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stdout).toMatch(/the token is accepted: FAILED, UNAUTHENTICATED/);
    const alone = await smoke(['http://127.0.0.1:9'], { AUTH_SECRET: SECRET });
    expect(alone).toMatchObject({ code: 1 });
    expect(alone.stdout).toMatch(/the server is ready: FAILED, fetch failed \(/);
    expect(await smoke([api], {})).toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') });
  });

  test('smoke: fails without a consumer, and still deletes the room', async () => {
    cluster.worker.signal('SIGKILL');
    await cluster.worker.ended;
    const [api] = cluster.apis;
    const ended = await smoke([api, '--patience', '12'], { AUTH_SECRET: SECRET });
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout).toMatch(
      /the message arrives at the websocket: FAILED, it did not happen within 12 s/,
    );
    expect(ended.stdout).toContain('the room is deleted');
  });
});
