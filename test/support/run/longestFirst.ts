import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that work for long, the longest ones first. */
const LONG = [
  /^process\/start\./,
  // They look at each object of their process, and files that ran before leave many there.
  /^live\/heldPerSocket\./,
  /^export\/export\./,
  /^dynamo\/costs(OfFew)?\./,
  /^saved\/jobs\/manyKills\./,
  /^reshape\/(carry|reshapingModel|rehearsal|whole)\./,
  /\.browser\.test\.ts$/,
  /^matrix\//,
  /^scripts\/start\./,
];
/** Files that take long, but mostly wait for servers and leases. */
const WAITING = /^process\//;

/**
 * Starts the files that take long first, so that at the end no worker waits for another one. Vitest knows the durations
 * of earlier runs, but not on a fresh clone. Files that wait alternate with files that work, so that the processors are
 * never idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const groups: TestSpecification[][] = Array.from({ length: LONG.length + 2 }, () => []);
    for (const file of await super.sort(files)) groups[groupOf(file)]?.push(file);
    const waiting = groups[LONG.length] ?? [];
    const rest = groups[LONG.length + 1] ?? [];
    const working = groups.slice(0, LONG.length).flat();
    const pairs = Array.from({ length: Math.max(working.length, waiting.length) }, (_, index) => [
      ...working.slice(index, index + 1),
      ...waiting.slice(index, index + 1),
    ]);
    return [...pairs.flat(), ...rest];
  }
}

function groupOf({ moduleId }: TestSpecification): number {
  const path = moduleId.replace(/^.*?\/test\//, '');
  const index = LONG.findIndex((pattern) => pattern.test(path));
  if (index >= 0) return index;
  return WAITING.test(path) ? LONG.length : LONG.length + 1;
}
