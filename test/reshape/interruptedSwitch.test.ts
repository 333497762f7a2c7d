/** A switch whose processes were all killed while servers had no table: commands take it back, as a server does. */
import { expect, test } from 'vitest';
import { changeUse } from '../../src/reshape/carry/marks.ts';
import { readTableShape } from '../../src/reshape/tableShape.ts';
import { programFile } from '../support/builds/build.ts';
import { onDynamoDbLocal } from '../support/database/dynamo.ts';
import { commandResult, runProgram } from '../support/servers/program.ts';
import { copyCommand } from './support/copy.ts';
import { tableAndCopy } from './support/switching.ts';

const WITHIN_MS = 1_500;

test.skipIf(onDynamoDbLocal).each(['status', 'carry'])(
  '%s says that a switch was interrupted, and takes it back',
  async (name) => {
    const { first, second } = await tableAndCopy();
    const named = { table: second.table, stream: second.streamArn };
    await changeUse(first.dynamo, {
      moving: { ...named, place: { table: second.table }, phase: 'frozen', withinMs: WITHIN_MS },
      notInUse: named,
    });
    const says = `A switch to ${second.table} is under way, or was interrupted: it is decided or taken back within 2 s…\n`;
    if (name === 'carry') {
      const carrying = await (await copyCommand(first, second.table)).begin('carry');
      await carrying.says('"FOLLOWING"');
      expect(carrying.stderr).toContain(says);
      carrying.signal('SIGTERM');
      expect(await carrying.ended).toMatchObject({ code: 0 });
    } else {
      const env = { DYNAMODB_ENDPOINT: first.endpoint, TABLE_NAME: first.table, LOG_LEVEL: 'silent' };
      const command = [process.execPath, await programFile('cli/reshape'), 'status'] as const;
      const { code, stdout, stderr } = await commandResult(await runProgram({ command, env }));
      expect([code, stderr]).toEqual([0, says]);
      expect(JSON.parse(stdout)).toMatchObject({ inForce: expect.any(Number) });
    }
    expect(await readTableShape(first.dynamo)).not.toHaveProperty('notInUse');
  },
);
