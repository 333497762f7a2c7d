/** The two commands of the README, in a copy of the project that is like a fresh clone. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { graphql } from '../generated/gql.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';
import { clientAt, copyCheckout, noProcessWith, printedTokens, run } from './support/run.ts';

const Arrival = graphql(`
  query Arrival {
    viewer { user { handle displayName } unread { total } }
    rooms(first: 20) { edges { node { id name } } }
  }
`);

test('npm start: builds, creates demo data once, and prints URLs and tokens; later starts keep the data', async () => {
  const cwd = await temporaryDirectory();
  await copyCheckout(cwd);
  // The processes of this test have it in their command lines.
  const dataDir = join(cwd, 'data');
  const npm = (...args: readonly string[]) =>
    run({ command: ['npm', ...args], cwd, env: { npm_config_update_notifier: 'false', DATA_DIR: dataDir } });

  const first = await npm('start');
  const { url } = await first.ready();
  expect(first.stderr).toContain('building…');
  expect(first.stdout).toContain(`${url}/graphql`);
  expect(first.stdout).toContain('No AUTH_* is set');
  expect(first.stderr).not.toMatch(/NodeVersionSupportWarning|deprecat/i);

  const html = { headers: { accept: 'text/html' } };
  expect((await fetch(url, html)).status).toBe(200);
  expect(await (await fetch(`${url}/graphql`, html)).text()).toContain('GraphiQL');

  const tokens = printedTokens(first);
  expect([...tokens.keys()]).toHaveLength(2);
  const rooms: string[][] = [];
  for (const [handle, token] of tokens) {
    const arrived = await (await clientAt(url, handle, token)).do(Arrival);
    expect(arrived.viewer.user.handle).toBe(handle);
    rooms.push(arrived.rooms.edges.map(({ node }) => node.id));
  }
  expect(rooms[0]?.length).toBeGreaterThan(0);
  expect(rooms[1]).toEqual(rooms[0]);

  // Only to npm, as a process manager sends it.
  first.signal('SIGTERM');
  await first.ended;
  await noProcessWith(dataDir);

  const second = await npm('start');
  const again = await second.ready();
  process.stdout.write(`npm start, once built: ready in ${again.ms.toFixed(0)} ms\n`);
  expect(second.stderr).not.toContain('building…');
  for (const [handle, token] of tokens) {
    const arrived = await (await clientAt(again.url, handle, token)).do(Arrival);
    expect(arrived.rooms.edges.map(({ node }) => node.id)).toEqual(rooms[0]);
  }
  const made = await npm('run', 'token', '--', 'yuki');
  expect(await made.ended).toMatchObject({ code: 0 });
  const yuki = printedTokens(made).get('yuki');
  const newUser = await (await clientAt(again.url, 'yuki', yuki)).do(Arrival);
  expect(newUser.viewer.user).toEqual({ handle: 'yuki', displayName: 'Yuki' });

  // A terminal's Ctrl-C reaches npm and all processes that it started, and npm passes it on.
  second.signalGroup('SIGINT');
  await second.ended;
  await noProcessWith(dataDir);
});
