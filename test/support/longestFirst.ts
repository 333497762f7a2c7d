import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long, the longest ones first. `test/process` waits more than it works. */
const LONG = [/^process\//, /^dynamo\/costs\./, /\.browser\.test\.ts$/, /^matrix\//, /^scripts\/start\./];

/**
 * Starts the files that take long first, so that at the end no worker waits for another one. Vitest knows the durations
 * of earlier runs, but not on a fresh clone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const found = LONG.findIndex((pattern) => pattern.test(moduleId.replace(/^.*?\/test\//, '')));
      return found < 0 ? LONG.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
