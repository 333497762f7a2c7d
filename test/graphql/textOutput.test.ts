import { expect, test } from 'vitest';
import { Later } from '../../src/core/later.ts';
import {
  type Part,
  type Run,
  textOf,
  type Write,
  writeList,
  writeParts,
} from '../../src/graphql/textOutput.ts';

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

/** A value of a number: a text, or a promise of one, which may lead to another. */
const field = (resultFor: (n: number) => unknown): Write => {
  const write: Write = (value, output) =>
    typeof value === 'string' ? output.add(value) : output.addLater(value as Promise<unknown>, write);
  return (n, output) => write(resultFor(n as number), output);
};

/** `{"a":…,"b":…}` for each of the numbers. */
function textWith(a: Write, b: Write) {
  const parts: readonly Part[] = [{ text: '{"a":', write: a }, { text: ',"b":', write: b }, { text: '}' }];
  const write: Write = (items, output) =>
    writeList(items as readonly unknown[], (item, into) => writeParts(parts, item, into), output);
  return textOf(write, NUMBERS, RUN);
}

const NUMBERS = Array.from({ length: 50 }, (_, i) => i);
const expected = JSON.stringify(NUMBERS.map((n) => ({ a: n, b: n * 2 })));

test('textOf: waits once for what many fields have in common', async () => {
  let finish = () => {};
  const after = new Counted((resolve) => {
    finish = () => resolve(undefined);
  });
  let isKnown = false;
  const multiple = (times: number) =>
    field(
      (n) =>
        new Later(after, () => {
          expect(isKnown).toBe(true);
          return String(n * times);
        }),
    );
  const text = textWith(multiple(1), multiple(2));
  isKnown = true;
  finish();
  expect(await text).toBe(expected);
  expect(after.waits).toBe(1);
});

test('textOf: writes fields that wait for different things, and values that have to be waited for again', async () => {
  const one = Promise.resolve();
  let isKnown = false;
  const other = new Promise<void>((resolve) => {
    setImmediate(() => {
      isKnown = true;
      resolve();
    });
  });
  const again = Promise.resolve();
  const text = textWith(
    field((n) => new Later(one, () => String(n))),
    field((n) =>
      n % 3 === 0
        ? Promise.resolve(String(n * 2))
        : new Later(other, () => {
            expect(isKnown).toBe(true);
            return new Later(again, () => String(n * 2));
          }),
    ),
  );
  expect(await text).toBe(expected);
});

test('textOf: rejects if what the fields wait for fails, and nothing else is left without a handler', async () => {
  const failed = Promise.reject(new Error('The table is down.'));
  const text = textWith(
    field(() => new Later(failed, () => '1')),
    field(() => Promise.reject(new Error('So is this.'))),
  );
  await expect(text).rejects.toThrow(/down|this/);
  const late = textWith(
    field(() => new Later(failed, () => '1')),
    field(() => new Later(failed, () => '2')),
  );
  await expect(late).rejects.toThrow('The table is down.');
});

test('textOf: throws what a field throws, also after the wait, and nothing else is left without a handler', async () => {
  const failed = Promise.reject(new Error('The table is down.'));
  const down = field(() => new Later(failed, () => '1'));
  const rejected = field(() => Promise.reject(new Error('So is this.')));
  const wrong = field(() => {
    throw new Error('The field is wrong.');
  });
  expect(() => textWith(down, wrong)).toThrow('The field is wrong.');
  expect(() => textWith(rejected, wrong)).toThrow('The field is wrong.');
  const one = Promise.resolve();
  const late = textWith(
    field(() => new Later(one, () => Promise.reject(new Error('So is this.')))),
    field(
      () =>
        new Later(one, () => {
          throw new Error('The field is wrong.');
        }),
    ),
  );
  await expect(late).rejects.toThrow('The field is wrong.');
});
