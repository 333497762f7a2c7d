import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../test/support/builds/viteBuild.ts';
import { unitsOf } from '../cost/catalogue.ts';
import { idleCosts, messageCosts, tableOf } from '../cost/cost.ts';
import { PRICES, SOURCES, sourceLines } from '../cost/prices.ts';
import { FULL, synth } from './support/synth.ts';

test('cost: docs/aws.md has the tables that npm run cost prints', async () => {
  const { resources } = await synth();
  const page = await readFile(join(ROOT, 'docs', 'aws.md'), 'utf8');
  expect(page).toContain(tableOf('a month, idle', idleCosts(resources)));
  expect(page).toContain(tableOf('a million messages', messageCosts()));
});

test('cost: each price has the page and the day that it is from; docs/aws.md has the oldest day', async () => {
  expect(Object.keys(SOURCES).sort()).toEqual(Object.keys(PRICES).sort());
  const lines = sourceLines();
  for (const line of lines) {
    expect(line).toMatch(/^20\d\d-\d\d-\d\d https:\/\/aws\.amazon\.com\/[\w-]+\/pricing\/(on-demand\/)?$/);
  }
  expect(await readFile(join(ROOT, 'docs', 'aws.md'), 'utf8')).toContain(
    `noted by hand on ${String(lines[0]).slice(0, 10)} `,
  );
});

test('cost: knows every type of resource, and each that is added', async () => {
  const { resources } = await synth(FULL);
  expect(idleCosts(resources).map(({ what }) => what)).toContain('endpoint of Secrets Manager');
  expect(() => idleCosts({ Nat: { Type: 'AWS::EC2::NatGateway' } })).toThrow(
    /no price of AWS::EC2::NatGateway/,
  );
});

test('unitsOf: reads the measured rows, wherever their keys are', () => {
  expect(unitsOf('`sendMessage`, a root')).toEqual({ read: 0, write: 4 });
  expect(unitsOf('a look, nothing due')).toEqual({ read: 16, write: 0 });
  expect(() => unitsOf('something else')).toThrow(/no costs/);
});
