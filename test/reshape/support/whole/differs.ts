import type { readRoom } from '../../../roomEvents/support/model/view.ts';

/** A room as a client sees it. */
export type Room = Awaited<ReturnType<typeof readRoom>>;
export type Message = Room['messages'][string];

/** A line if what was found is not what was expected. */
export const differs = (what: string, found: unknown, expected: unknown): string[] =>
  JSON.stringify(found) === JSON.stringify(expected)
    ? []
    : [`${what}: found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`];

/** A line for each one that is missing or too much. */
export function listDiffers(what: string, found: readonly string[], expected: readonly string[]): string[] {
  const left = [...found];
  const missing = expected.filter((one) => {
    const i = left.indexOf(one);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
  return [
    ...missing.map((one) => `${what}: ${one} is missing`),
    ...left.map((one) => `${what}: ${one} is too much`),
  ];
}
