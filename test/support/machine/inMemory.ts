import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './processes.ts';

/** Linux has a file system in memory here. */
const MEMORY = '/dev/shm';
const PREFIX = 'tsudoi-tests-';
/** The tests' files take about 100 MB at a time. The rest is left for other programs. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/**
 * Keeps the temporary files of the tests in memory if there is enough of it. A database waits for the disk at every
 * commit: when other programs kept the disk busy, a test file took 17 s instead of 4 s. The tests prove the same: no
 * machine fails here, and a killed process loses nothing that it has written. If TMPDIR is set, it is used instead.
 */
export default function setup(): () => void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return () => {};
  removeLeftovers();
  const directory = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  process.env.TMPDIR = directory;
  return () => {
    delete process.env.TMPDIR;
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) > NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Removes the files of runs that were killed. They would stay until the machine restarts. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || isRunning(Number.parseInt(name.slice(PREFIX.length), 10))) continue;
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // It belongs to another user.
    }
  }
}
