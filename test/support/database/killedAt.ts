import fc from 'fast-check';
import type { Dynamo } from '../../../src/dynamo/dynamo.ts';

export class Killed extends Error {}

export const killedWhen = fc.constantFrom('before' as const, 'after' as const);

/** A process that is killed at its write number `writes`: before it was done, or after. */
export function killedAt(
  dynamo: Dynamo,
  { writes, when }: { readonly writes: number; readonly when: 'before' | 'after' },
): Dynamo {
  let left = writes;
  const limited =
    <A extends unknown[], T>(write: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      left--;
      if (left < 0 || (left === 0 && when === 'before')) throw new Killed();
      const result = await write(...args);
      if (left === 0) throw new Killed();
      return result;
    };
  return {
    ...dynamo,
    put: limited(dynamo.put),
    update: limited(dynamo.update),
    remove: limited(dynamo.remove),
    transact: limited(dynamo.transact),
    tryTransact: (some, options) => limited(() => dynamo.tryTransact(some, options))(),
  };
}
