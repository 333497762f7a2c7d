/** `npm run table` on a table that another one has replaced, or that is a copy. */
import { expect, test } from 'vitest';
import { DEFAULT_LAYOUT } from '../../src/dynamo/keyLayout.ts';
import { keys } from '../../src/dynamo/keys.ts';
import { beginCopy, changeUse } from '../../src/reshape/carry/marks.ts';
import { command } from '../cli/support/commands.ts';
import { OTHER_LAYOUT, type TestDynamo } from '../support/database/dynamo.ts';
import { copyCommand, tableBeside } from './support/copy.ts';
import { sidesOf, switchBetween, tableAndCopy } from './support/switching.ts';

const look = ({ endpoint, table }: TestDynamo) =>
  command('table', [], { DYNAMODB_ENDPOINT: endpoint, TABLE_NAME: table });

test('table: says that another table is in use, also if the keys have other names, and that the shape is not known', async () => {
  const { first, second } = await tableAndCopy();
  await switchBetween(first, second);
  const copy = await tableBeside(second, `${first.table}-3`, OTHER_LAYOUT);
  await beginCopy(sidesOf(second, copy), 100, Date.now());
  for (const database of [first, copy]) {
    expect(await look(database)).toEqual({
      code: 0,
      stdout: `The table ${database.table} has what this release needs.\n`,
      stderr: `This table is not in use. The table in use is ${second.table}. Set TABLE_NAME to that one.\n`,
    });
  }
  expect(await look(second)).toMatchObject({ code: 0, stderr: '' });
  const { inForce: _, ...shape } = (await second.dynamo.get(keys.shape())) ?? {};
  await second.dynamo.put({ ...shape, ...keys.shape(), inForce: 99 });
  const { code, stderr } = await look(second);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^The table has shape 99, .*\n$/)]);
}, 120_000);

test('table, reshape: do not name another table as the one in use while a switch to it may be taken back', async () => {
  const { first, second } = await tableAndCopy();
  const inUse = { table: second.table, stream: second.streamArn };
  const moving = { ...inUse, place: { table: second.table }, phase: 'frozen', withinMs: 10_000 } as const;
  await changeUse(first.dynamo, { moving, notInUse: inUse });
  expect(await look(first)).toMatchObject({
    code: 0,
    stderr: `A switch to ${second.table} is under way, or was interrupted: it is decided, or a server takes it back.\n`,
  });
  const third = await tableBeside(second, `${first.table}-3`, DEFAULT_LAYOUT);
  expect(await (await copyCommand(first, third.table)).run('status')).toMatchObject({
    code: 1,
    stderr: `The table ${third.table} is not a copy of this one. Begin with \`carry\`.\n`,
  });
}, 60_000);
