import { describe, expect, test } from 'vitest';
import { createPrepare } from '../../src/server/graphql/preparedOperations.ts';
import { SERVER_LIMITS } from '../../src/server/limits.ts';
import { createHeapMeter } from '../support/machine/heap.ts';
import { testSchema } from './support/schema.ts';
import { startServer } from './support/server.ts';

const createTestPrepare = () =>
  createPrepare({ schema: testSchema, limits: SERVER_LIMITS.document, introspection: true });

describe('prepare', () => {
  test('prepare: a known document is neither parsed nor validated again', () => {
    const prepare = createTestPrepare();
    const text = 'query A { hello } query B { tree { name } }';
    const [a, b] = [prepare(text, 'A'), prepare(text, 'B')];
    expect([a.operationName, b.operationName, b.document]).toEqual(['A', 'B', a.document]);
    expect(prepare(text, 'A')).toBe(a);
    expect(prepare(text, 'B')).toBe(b);
    expect(prepare('{ hello }', null)).toBe(prepare('{ hello }', undefined));
  });

  test('prepare: names that a document does not have are refused and not kept', () => {
    const prepare = createTestPrepare();
    for (const name of ['C', '', '__proto__']) {
      expect(() => prepare('query A { hello }', name)).toThrow('The document was refused.');
    }
    expect(() => prepare('query A { hello } query B { hello }', undefined)).toThrow();
    expect(prepare('query A { hello }', undefined).type).toBe('query');
  });

  test('prepare: drops the oldest documents if all together are too long', () => {
    const prepare = createTestPrepare();
    const texts = Array.from({ length: 100 }, (_, i) => `{ a${i}: hello } # ${'x'.repeat(10_000)}`);
    const first = texts.map((text) => prepare(text, undefined));
    const kept = texts.map((text, i) => prepare(text, undefined) === first[i]);
    // Reading them again drops what was kept, so none of the early ones is left.
    expect(kept.slice(0, 74).some(Boolean)).toBe(false);
    expect(prepare(texts[99] ?? '', undefined)).toBe(prepare(texts[99] ?? '', undefined));
  });

  test('prepare: a document of more than 16 KiB is prepared each time', () => {
    const prepare = createTestPrepare();
    const text = `{ hello } # ${'x'.repeat(16_384)}`;
    expect(prepare(text, undefined)).not.toBe(prepare(text, undefined));
  });
});

test('prepare: long documents of anonymous clients, valid or not, do not fill the memory', async () => {
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
