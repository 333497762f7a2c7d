import { type Lock, type LockOptions, lockTable } from '../stream/lock.ts';

/** Another import of this table is running. */
export class ImportRunning extends Error {
  override readonly name = 'ImportRunning';
  constructor() {
    super('Another import into this table is running. Wait until it has ended.');
  }
}

/** At most one import of a table runs. Throws `ImportRunning`. */
export const lockImports = (options: LockOptions): Promise<Lock> =>
  lockTable({ ...options, name: 'import', running: () => new ImportRunning() });
