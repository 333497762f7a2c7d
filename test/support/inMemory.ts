import { mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from './processes.ts';

/** A file system in memory, as Linux has it. */
const MEMORY = '/dev/shm';
const PREFIX = 'tsudoi-tests-';
/** All that the tests have in files at one time is some 100 MB; the rest is room for everybody else. */
const NEEDED_BYTES = 2 * 1024 ** 3;

/**
 * Keeps the temporary files of the tests in memory where there is enough of it. A database waits for the disk at every
 * commit: while others keep the disk busy, a file of tests took 17 s that took 4 s before. What they test is the same:
 * no machine fails here, and a process that is killed loses nothing that it has written. A TMPDIR that was chosen stays.
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

/** Of runs that were killed: they would stay until the machine is started again. */
function removeLeftovers(): void {
  for (const name of readdirSync(MEMORY)) {
    if (!name.startsWith(PREFIX) || isRunning(Number.parseInt(name.slice(PREFIX.length), 10))) continue;
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}
