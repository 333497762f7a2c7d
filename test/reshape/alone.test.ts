/** The command on the embedded database while no server runs: it holds the database, so nothing is converted. */
import { expect, test } from 'vitest';
import { command } from '../cli/support/commands.ts';
import { temporaryDirectory } from '../support/machine/directory.ts';

test('reshape: says that nothing is converted without a server, and does not wait for that', async () => {
  const DATA_DIR = await temporaryDirectory();
  const reshape = (...args: string[]) => command('reshape', args, { DATA_DIR });
  const small = ['--shape', '1', '--messages', '20', '--rooms', '1', '--people', '3'];
  expect(await command('seed', small, { DATA_DIR })).toMatchObject({ code: 0 });
  const why = `No server uses the database in ${DATA_DIR}, so nothing is converted. Start one`;
  expect(await reshape('status', '--watch')).toMatchObject({ code: 0, stderr: '' });
  expect(await reshape('start')).toMatchObject({ code: 0, stderr: `${why}.\n` });
  const { code, stdout, stderr } = await reshape('status', '--watch');
  expect([code, stderr]).toEqual([1, `${why}, and run this again.\n`]);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'RUNNING', servers: 0 });
  expect(await reshape('pause')).toMatchObject({ code: 0, stderr: '' });
  expect(await reshape('back')).toMatchObject({ code: 0, stderr: `${why}.\n` });
}, 120_000);
