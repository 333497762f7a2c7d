import type { Dynamo } from '../../../src/dynamo/dynamo.ts';
import { keys } from '../../../src/dynamo/keys.ts';
import type { Cost } from '../../../src/dynamo/metering.ts';
import type { Dispatcher } from '../../../src/stream/dispatcher.ts';

export interface Metered {
  readonly dynamo: Pick<Dynamo, 'get'>;
  readonly dispatcher: Pick<Dispatcher, 'dispatch'>;
  consume(): Promise<void>;
}

export interface Spent {
  readonly requests: number;
  readonly read: number;
  readonly write: number;
}

/**
 * What the handlers spend on the record of a room's counter, after `act` has changed it and was handled. `isRevised`:
 * as if a listener had changed as well. `costs` is where the system under test puts what it is charged.
 */
export const meterOf =
  (costs: Cost[], { dynamo, dispatcher, consume }: Metered) =>
  async (
    room: string,
    act: () => Promise<unknown>,
    { isRevised = false }: { readonly isRevised?: boolean } = {},
  ): Promise<Spent> => {
    const old = await dynamo.get(keys.counter(room));
    await act();
    await consume();
    const item = await dynamo.get(keys.counter(room));
    const revised = { ...item, listenersRev: Number(item?.listenersRev ?? 0) + 1 };
    costs.splice(0);
    const change = { stream: 's', sequence: '1', kind: 'MODIFY', expired: false };
    const key = { type: 'counter', room };
    await dispatcher.dispatch([{ ...change, key, old, new: isRevised ? revised : item } as never]);
    const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
    return {
      requests: costs.length,
      read: sum(({ readUnits }) => readUnits),
      write: sum(({ writeUnits }) => writeUnits),
    };
  };

export const NOTHING_SPENT: Spent = { requests: 0, read: 0, write: 0 };
