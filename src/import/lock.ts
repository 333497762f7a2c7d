import type { Dynamo } from '../dynamo/dynamo.ts';
import { hasOwner, type Lock, type LockOptions, lockTable } from '../stream/lock.ts';

/** Another import of this table is running. */
export class ImportRunning extends Error {
  override readonly name = 'ImportRunning';
  constructor() {
    super('Another import into this table is running. Wait until it has ended.');
  }
}

const NAME = 'import';

/** At most one import of a table runs. Throws `ImportRunning`. */
export const lockImports = (options: LockOptions): Promise<Lock> =>
  lockTable({ ...options, name: NAME, running: () => new ImportRunning() });

/** Whether an import may be running: one has the lock, or was killed while it had it. One read. */
export const mayBeImporting = (dynamo: Dynamo): Promise<boolean> => hasOwner(dynamo, NAME);

/**
 * Whether all imports that began before are over, and write nothing from now on. Takes the lock for a moment: a run
 * that was only suspended stops as well. Resolves within three seconds, or nine if a run was killed.
 */
export async function areImportsOver(options: LockOptions): Promise<boolean> {
  try {
    const lock = await lockImports(options);
    await lock.release();
    return true;
  } catch (error) {
    if (error instanceof ImportRunning) return false;
    throw error;
  }
}
