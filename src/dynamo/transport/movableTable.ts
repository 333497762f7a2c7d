import { type Clock, systemClock } from '../../core/clock.ts';
import { OutageError } from '../../core/errors.ts';
import type { Input, Operation, Output, TransactItem, Transport } from './transport.ts';

/** A table, and the way to it. */
export interface TableAccess {
  readonly transport: Transport;
  readonly table: string;
}

/** A table that a process uses under one name, wherever it is. */
export interface MovableTable extends TableAccess {
  /** From now on requests wait. Resolves when none is on its way. */
  hold(): Promise<void>;
  /** Requests go on, those that wait first: to the table as before, or from now on to another one. */
  release(to?: TableAccess): void;
}

export interface MovableTableOptions extends TableAccess {
  /**
   * How long requests wait, from the beginning of the hold, before they fail with UNAVAILABLE. Milliseconds. Default:
   * one second.
   */
  readonly holdMs?: number | undefined;
  readonly clock?: Clock;
}

const HOLD_MS = 1_000;

/**
 * The requests of a process, which can be held and then sent to another table: one of the same items. A request has the
 * name of the first table until it is sent, so those that wait can go to either.
 */
export function createMovableTable(options: MovableTableOptions): MovableTable {
  const { table, holdMs = HOLD_MS, clock = systemClock } = options;
  let place: TableAccess = options;
  let inFlight = 0;
  let onIdle = () => {};
  /** Resolves when requests go on. Rejects if that takes too long. */
  let held: Promise<void> | undefined;
  let goOn = () => {};

  async function go<O extends Operation>(...[operation, input, options]: Parameters<Transport['send']>) {
    inFlight++;
    try {
      const { transport, table: name } = place;
      if (name === table) return (await transport.send(operation, input, options)) as Output<O>;
      const output = await transport.send(operation, renamedInput(input, name), options);
      return renamedOutput(output, table) as Output<O>;
    } finally {
      inFlight--;
      if (inFlight === 0) onIdle();
    }
  }

  async function wait<O extends Operation>(...args: Parameters<Transport['send']>): Promise<Output<O>> {
    while (held !== undefined) await held;
    return go<O>(...args);
  }

  return {
    table,
    transport: {
      send: <O extends Operation>(operation: O, input: Input<O>, options: { readonly timeoutMs: number }) =>
        held === undefined ? go<O>(operation, input, options) : wait<O>(operation, input, options),
    },
    async hold() {
      held ??= new Promise((resolve, reject) => {
        const cancel = clock.after(holdMs, () => reject(new OutageError()));
        goOn = () => {
          cancel();
          resolve();
        };
      });
      // No request may be waiting.
      held.catch(() => {});
      if (inFlight === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
      });
    },
    release(to) {
      place = to ?? place;
      held = undefined;
      goOn();
    },
  };
}

type ByTable = Readonly<Record<string, unknown>>;

/** Each request names one table. */
const renamedKey = (tables: ByTable, name: string): ByTable =>
  Object.fromEntries(Object.values(tables).map((value) => [name, value]));

const FIELDS_BY_TABLE = ['RequestItems', 'Responses', 'UnprocessedKeys', 'UnprocessedItems'] as const;

function renamedOutput<T extends object>(fields: T, name: string): T {
  const renamed: Record<string, unknown> = {};
  for (const field of FIELDS_BY_TABLE) {
    const tables = (fields as Record<string, unknown>)[field];
    if (tables !== undefined) renamed[field] = renamedKey(tables as ByTable, name);
  }
  return { ...fields, ...renamed };
}

function renamedInput<I extends Input<Operation>>(input: I, name: string): I {
  if ('TableName' in input) return { ...input, TableName: name };
  if (!('TransactItems' in input)) return renamedOutput(input, name);
  const TransactItems = input.TransactItems.map(
    (one) =>
      Object.fromEntries(
        Object.entries(one).map(([kind, write]) => [kind, { ...write, TableName: name }]),
      ) as unknown as TransactItem,
  );
  return { ...input, TransactItems };
}
