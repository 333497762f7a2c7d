import { ServiceError } from '../../../src/dynamo/errors.ts';
import type { Input, Transport } from '../../../src/dynamo/transport/transport.ts';

/**
 * Makes transactions conflict as on AWS, which the emulators never do: a transaction is cancelled if another one on
 * one of its items is running. Transports that share this object conflict with each other.
 */
export function createConflicts() {
  const running = new Set<string>();
  let count = 0;

  async function exclusively<T>(names: readonly string[], work: () => Promise<T>): Promise<T> {
    const conflicts = names.map((name) => running.has(name));
    if (conflicts.includes(true)) {
      count++;
      throw new ServiceError('TransactionCanceledException', 'Transaction cancelled', {
        status: 400,
        reasons: conflicts.map((is) => ({ code: is ? 'TransactionConflict' : 'None', item: undefined })),
      });
    }
    for (const name of names) running.add(name);
    try {
      return await work();
    } finally {
      for (const name of names) running.delete(name);
    }
  }

  return {
    /** The number of cancelled transactions. */
    get count() {
      return count;
    },
    on: (transport: Transport): Transport => ({
      send(operation, input, options) {
        const work = () => transport.send(operation, input, options);
        return 'TransactItems' in input ? exclusively(namesOf(input), work) : work();
      },
    }),
  };
}

const namesOf = ({ TransactItems }: Input<'TransactWriteItems'>): string[] =>
  TransactItems.map((write) => {
    const { pk, sk } =
      'Put' in write
        ? write.Put.Item
        : 'Update' in write
          ? write.Update.Key
          : 'Delete' in write
            ? write.Delete.Key
            : write.ConditionCheck.Key;
    return `${pk} ${sk}`;
  });
