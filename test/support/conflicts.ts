import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { Key } from '../../src/dynamo/keys.ts';

type Marshalled = Readonly<Record<keyof Key, { readonly S: string }>>;
type TransactItem = Readonly<Record<string, { readonly Key?: Marshalled; readonly Item?: Marshalled }>>;

/**
 * Makes transactions conflict as on AWS, which the emulators never do: a transaction is cancelled if another one on
 * one of its items is under way. Clients that share this object conflict with each other.
 */
export function createConflicts() {
  const underWay = new Set<string>();
  let count = 0;

  const namesOf = (items: readonly TransactItem[]) =>
    items.map((item) => {
      const [{ Key: key, Item: whole } = {}] = Object.values(item);
      return `${(key ?? whole)?.pk.S} ${(key ?? whole)?.sk.S}`;
    });

  return {
    /** How many transactions were cancelled. */
    get count() {
      return count;
    },
    on(client: DynamoDBClient): DynamoDBClient {
      client.middlewareStack.add(
        (next, { commandName }) =>
          async (request) => {
            if (commandName !== 'TransactWriteItemsCommand') return next(request);
            const { TransactItems = [] } = request.input as { TransactItems?: TransactItem[] };
            const names = namesOf(TransactItems);
            const met = names.map((name) => underWay.has(name));
            if (met.includes(true)) {
              count++;
              throw new TransactionCanceledException({
                $metadata: {},
                message: 'Transaction cancelled',
                CancellationReasons: met.map((Code) => ({ Code: Code ? 'TransactionConflict' : 'None' })),
              });
            }
            for (const name of names) underWay.add(name);
            try {
              return await next(request);
            } finally {
              for (const name of names) underWay.delete(name);
            }
          },
        { step: 'build', name: 'conflicts' },
      );
      return client;
    },
  };
}
