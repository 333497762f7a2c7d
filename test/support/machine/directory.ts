import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a directory that is removed after the test, and after everything that the test opens later was closed. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tsudoi-test-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
