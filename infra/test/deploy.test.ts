import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { DEFAULT_LAYOUT } from '../../src/dynamo/keyLayout.ts';
import { NEWEST_SHAPE } from '../../src/dynamo/shapes.ts';
import { withoutShape } from '../../test/reshape/support/job.ts';
import { OTHER_LAYOUT, openTestDynamo } from '../../test/support/database/dynamo.ts';
import { temporaryDirectory } from '../../test/support/machine/directory.ts';
import { runProgram } from '../../test/support/servers/program.ts';
import { readShapeNote, shapeNote } from '../shapeNote.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('npm run deploy: says everything that is missing, and does nothing then', async () => {
  const program = await runProgram({
    command: [process.execPath, '--import', 'tsx', 'infra/deploy.ts'],
    cwd: root,
    // No docker, no profile, and no questions to the network about credentials.
    env: {
      PATH: await temporaryDirectory(),
      HOME: await temporaryDirectory(),
      AWS_EC2_METADATA_DISABLED: 'true',
    },
  });
  onTestFinished(() => program.stop());
  expect(await program.ended).toMatchObject({ code: 1 });
  expect(program.stdout).toBe('');
  // Node 20 is enough for the pinned version of the SDK.
  expect(program.stderr).not.toContain('NodeVersionSupportWarning');
  const lines = program.stderr.split('\n').filter((line) => line.startsWith('  - '));
  expect(program.stderr).toMatch(/^Nothing was deployed:/m);
  expect(lines).toEqual([
    expect.stringContaining('infra/settings.ts'),
    expect.stringContaining('Docker'),
    expect.stringContaining('credentials'),
    expect.stringContaining('SMOKE_TOKEN'),
  ]);
});

test('shapeNote: says after a deployment that the table can have a newer shape, and where that is described', async () => {
  // CloudFormation makes a table without items.
  const note = shapeNote(undefined);
  expect(note).toMatch(/^The table has shape 1, and this release can use \d+/);
  expect(shapeNote({ inForce: { N: '1' } })).toBe(note);
  expect(shapeNote({ inForce: { N: String(NEWEST_SHAPE) } })).toBeUndefined();
  const [, section] = /docs\/aws\.md#([\w-]+)/.exec(note ?? '') ?? [];
  const page = await readFile(new URL('../../docs/aws.md', import.meta.url), 'utf8');
  const sections = [...page.matchAll(/^## (.*)$/gm)].map(([, name = '']) =>
    name.toLowerCase().replaceAll(' ', '-'),
  );
  expect(sections).toContain(section);
});

test('readShapeNote: reads the shape of a table with any names for its keys', async () => {
  for (const layout of [DEFAULT_LAYOUT, OTHER_LAYOUT]) {
    const { client, table, dynamo, stop } = await openTestDynamo({ layout });
    onTestFinished(stop);
    expect(await readShapeNote(client, table)).toBeUndefined();
    await withoutShape(dynamo);
    expect(await readShapeNote(client, table)).toBe(shapeNote(undefined));
    expect(await readShapeNote(client, 'missing')).toMatch(/^The shape of the table could not be read/);
  }
});
