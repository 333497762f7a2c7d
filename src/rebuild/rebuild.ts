import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, type ParsedKey, parseKey } from '../dynamo/keys.ts';

/** How many things of each kind a visitor has found or made, for the log. */
export type Findings = Readonly<Record<string, number>>;

/** What one feature derives again from the items of the table. It keeps state: one visitor for each rebuild. */
export interface Visitor {
  visit(key: ParsedKey, item: Item): Promise<void>;
  /** Called after the last item: for what was collected. */
  finish?(): Promise<void>;
  result?(): Findings;
}

export interface RebuildOptions {
  readonly dynamo: Dynamo;
  readonly visitors: readonly Visitor[];
  /** Called with every item that was read. */
  readonly onItem?: () => void;
  readonly signal?: AbortSignal;
}

/**
 * Derives from the items themselves what stream records would have led to that no consumer handled. Reads the whole
 * table once for all visitors, so it is not for requests. Safe while the system runs, and
 * idempotent. Rejects if the signal is aborted.
 */
export async function rebuild({ dynamo, visitors, onItem, signal }: RebuildOptions): Promise<Findings> {
  for await (const item of dynamo.scan({})) {
    signal?.throwIfAborted();
    onItem?.();
    const key = parseKey(keyOf(item));
    for (const visitor of visitors) await visitor.visit(key, item);
  }
  for (const visitor of visitors) await visitor.finish?.();
  return Object.assign({}, ...visitors.map((visitor) => visitor.result?.() ?? {})) as Findings;
}
