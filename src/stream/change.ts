import type { Item } from '../dynamo/item.ts';
import type { Key, ParsedKey } from '../dynamo/keys.ts';

/** One stream record, host-independent: what happened to one item. */
export interface Change {
  /** The stream's label: sequence numbers of two streams (a restored table's, say) do not compare. */
  readonly stream: string;
  /** Which part of the stream it comes from, where the host knows: Lambda does not say. */
  readonly shard?: string;
  /**
   * A decimal string of up to 40 digits; compare as BigInt. It rises within a shard, and from a shard to its
   * children; those of two shards that live side by side say nothing about each other.
   */
  readonly sequence: string;
  readonly kind: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly key: ParsedKey;
  /** The item before: absent on INSERT. */
  readonly old?: Item;
  /** The item after: absent on REMOVE. */
  readonly new?: Item;
  /** The item was deleted because its time was up: no act of anyone. */
  readonly expired: boolean;
  /**
   * Set where the record's images could not be read; then it has neither. No handler is given such a change:
   * the dispatcher sets it aside for those that would have been.
   */
  readonly unreadable?: { readonly item: Key; readonly error: unknown };
}

/**
 * What a feature derives from changes.
 *
 * `handle` gets the changes of its item types out of one batch, in stream order. It is called at least
 * once for every change, again after a crash or a lost lease, and possibly by two consumers at the same
 * time: whatever it writes must carry its own proof that it was done. It resolves when everything derived
 * is stored and published, and rejects when something is not: the whole call is then repeated, later one
 * change at a time, and a change that keeps failing is set aside.
 */
export interface StreamHandler {
  /** Unique; used in logs, metrics and the set-aside record. */
  readonly name: string;
  readonly itemTypes: ReadonlyArray<ParsedKey['type']>;
  handle(changes: readonly Change[]): Promise<void>;
  /**
   * Called before a change of these item types is set aside: for a handler whose readers rely on nothing being
   * left out to say that something is. Called again if it rejects, or when the change comes again.
   */
  missed?(change: Change): Promise<void>;
}
