import { Refusal } from './run.ts';

const LIMIT_MAX = 1_000;

/** How many are listed, by `--limit`: 1 to 1,000. Throws `Refusal`. */
export function limitOf(text: string): number {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LIMIT_MAX) throw new Refusal(`--limit must be 1 to ${LIMIT_MAX}.`);
  return limit;
}
