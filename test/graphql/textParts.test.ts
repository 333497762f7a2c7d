import { expect, test } from 'vitest';
import { Later } from '../../src/core/later.ts';
import { type Part, type Run, type Write, writeList, writeParts } from '../../src/graphql/textParts.ts';

const RUN: Run = { context: undefined, variables: {} };

/** Counts who waits for it. */
class Counted extends Promise<unknown> {
  waits = 0;

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  override then<R = unknown, E = never>(
    fulfilled?: ((value: unknown) => R | PromiseLike<R>) | null,
    rejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    this.waits++;
    return super.then(fulfilled, rejected);
  }
}

/** Writes `{"a":…,"b":…}` for each item of a list. */
const listOf = (a: Write, b: Write): Write => {
  const parts: readonly Part[] = [{ text: '{"a":', write: a }, { text: ',"b":', write: b }, { text: '}' }];
  return (items, run) =>
    writeList(items as readonly unknown[], (item, of) => writeParts(parts, item, of), run);
};

const NUMBERS = Array.from({ length: 50 }, (_, i) => i);
const expected = JSON.stringify(NUMBERS.map((n) => ({ a: n, b: n * 2 })));

test('writeParts: waits once for what many fields have in common', async () => {
  let finish = () => {};
  const after = new Counted((resolve) => {
    finish = () => resolve(undefined);
  });
  let isKnown = false;
  const field =
    (times: number): Write =>
    (n) =>
      new Later(after, () => {
        expect(isKnown).toBe(true);
        return String(Number(n) * times);
      });
  const text = listOf(field(1), field(2))(NUMBERS, RUN);
  isKnown = true;
  finish();
  expect(await text).toBe(expected);
  expect(after.waits).toBe(1);
});

test('writeParts: writes fields that wait for different things, and values that have to be waited for again', async () => {
  const one = Promise.resolve();
  let isKnown = false;
  const other = new Promise<void>((resolve) => {
    setImmediate(() => {
      isKnown = true;
      resolve();
    });
  });
  const again = Promise.resolve();
  const text = listOf(
    (n) => new Later(one, () => String(n)),
    (n) =>
      Number(n) % 3 === 0
        ? Promise.resolve(String(Number(n) * 2))
        : new Later(other, () => {
            expect(isKnown).toBe(true);
            return new Later(again, () => String(Number(n) * 2));
          }),
  )(NUMBERS, RUN);
  expect(await text).toBe(expected);
});

test('writeParts: rejects if what the fields wait for fails, and nothing else is left without a handler', async () => {
  const failed = Promise.reject(new Error('The table is down.'));
  const text = listOf(
    () => new Later(failed, () => '1'),
    () => Promise.reject(new Error('So is this.')),
  )(NUMBERS, RUN);
  await expect(text).rejects.toThrow(/down|this/);
  const late = listOf(
    () => new Later(failed, () => '1'),
    () => new Later(failed, () => '2'),
  )(NUMBERS, RUN);
  await expect(late).rejects.toThrow('The table is down.');
});
