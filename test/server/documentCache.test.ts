import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createDocumentCache } from '../../src/server/graphql/documentCache.ts';
import { createHeapMeter } from '../support/heap.ts';
import { startServer } from './support/server.ts';

test('documentCache: drops the oldest documents if all together are too long', () => {
  const { documentCache } = createDocumentCache();
  const texts = Array.from({ length: 100 }, (_, i) => `{ a${i} } # ${'x'.repeat(10_000)}`);
  for (const text of texts) documentCache.set(text, parse(text));
  const kept = texts.map((text) => documentCache.get(text) !== undefined);
  expect(kept.filter(Boolean).length).toBeLessThanOrEqual(26);
  expect(kept.at(-1)).toBe(true);
});

test('documentCache: long documents of anonymous clients, valid or not, do not fill the memory', async () => {
  const { post } = await startServer();
  const long = 'x'.repeat(900_000);
  const send = async (i: number) => {
    for (const query of [`# ${i} ${long}\n{ __typename }`, `{ ${i} # ${long}`]) {
      await (await post({ query })).text();
    }
  };
  for (let i = 0; i < 3; i++) await send(i);
  const meter = createHeapMeter();
  for (let i = 3; i < 18; i++) await send(i);
  meter.sample();
  // Thirty documents of almost a megabyte were sent.
  expect(meter.peak()).toBeLessThan(8_000_000);
});
