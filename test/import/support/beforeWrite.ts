import type { Dynamo } from '../../../src/dynamo/dynamo.ts';

/** Calls back before the first transaction for which `when` holds: by the names of its writes, if they have names. */
export function beforeWrite(
  dynamo: Dynamo,
  when: (names: readonly string[]) => boolean,
  call: () => Promise<unknown>,
): Dynamo {
  let called = false;
  async function once(names: readonly string[]): Promise<void> {
    if (called || !when(names)) return;
    called = true;
    await call();
  }
  return {
    ...dynamo,
    async transact(writes, options) {
      await once([]);
      return dynamo.transact(writes, options);
    },
    async tryTransact(writes, options) {
      await once(Object.keys(writes));
      return dynamo.tryTransact(writes, options);
    },
  };
}
