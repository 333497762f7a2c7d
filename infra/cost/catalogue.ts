import { readFileSync } from 'node:fs';

export interface Units {
  readonly read: number;
  readonly write: number;
}

const CATALOGUE = new URL('../../docs/data-model.md', import.meta.url);

/**
 * The read and write units of a row of docs/data-model.md, whose numbers are measured by a test. The name is that of
 * its first cell. Throws if there is no such row.
 */
export function unitsOf(name: string): Units {
  const row = readFileSync(CATALOGUE, 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| ${name} |`));
  // Round trips, read and write are next to each other. The keys are before or after them.
  const numbers = row?.split('|').flatMap((cell) => (/^ [\d.]+ $/.test(cell) ? [Number(cell)] : [])) ?? [];
  const [, read, write] = numbers;
  if (read === undefined || write === undefined || numbers.length !== 3) {
    throw new Error(`docs/data-model.md has no costs of ${name}.`);
  }
  return { read, write };
}
