import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { keyOf, type ParsedKey, parseKey } from '../dynamo/keys.ts';

/** Counts of what a visitor has found or written, by name. For the log. */
export type Findings = Readonly<Record<string, number>>;

/** Rebuilds one feature's derived data. It has state, so each rebuild needs a new visitor. */
export interface Visitor {
  visit(key: ParsedKey, item: Item): Promise<void>;
  /** Called after the last item. Handles what `visit` has collected. */
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
 * Rebuilds derived data from the items, for stream records that no consumer handled. Reads the whole table once for all
 * visitors, so requests must not use it. Safe while the system runs. Idempotent. Rejects if the signal is aborted.
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
