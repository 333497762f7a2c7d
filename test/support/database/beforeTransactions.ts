import type { Dynamo } from '../../../src/dynamo/dynamo.ts';

/** As `dynamo`, but `before` runs first whenever a transaction is about to be written. */
export const beforeTransactions = (dynamo: Dynamo, before: () => Promise<unknown> | undefined): Dynamo => ({
  ...dynamo,
  async transact(writes, options) {
    await before();
    await dynamo.transact(writes, options);
  },
  async tryTransact(writes, options) {
    await before();
    return dynamo.tryTransact(writes, options);
  },
});
