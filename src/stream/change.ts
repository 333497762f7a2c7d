import type { Item } from '../dynamo/item.ts';
import type { Key, ParsedKey } from '../dynamo/keys.ts';

/** One stream record, independent of the host that read it: how one item changed. */
export interface Change {
  /** The stream's label. Sequence numbers of two streams (a restored table's, for example) do not compare. */
  readonly stream: string;
  /** The shard that it was read from. Absent in Lambda, which does not say. */
  readonly shard?: string;
  /**
   * A decimal string of up to 40 digits; compare as BigInt. It rises within a shard, and from a shard to its
   * children. Two shards that exist at the same time have unrelated numbers.
   */
  readonly sequence: string;
  readonly kind: 'INSERT' | 'MODIFY' | 'REMOVE';
  readonly key: ParsedKey;
  /** The item before: absent on INSERT. */
  readonly old?: Item;
  /** The item after: absent on REMOVE. */
  readonly new?: Item;
  /** DynamoDB deleted the item because it expired: no user did. */
  readonly expired: boolean;
  /**
   * Set if the record's images could not be read; then it has neither. No handler receives such a change: the
   * dispatcher writes a dead letter for each handler that would have.
   */
  readonly unreadable?: { readonly item: Key; readonly error: unknown };
}

/**
 * What a feature derives from changes.
 *
 * `handle` gets the changes of its item types out of one batch, in stream order. It is called at least once for
 * every change, again after a crash or a lost lease, and possibly by two consumers at the same time: everything it
 * writes must carry its own proof that it was done. It resolves when everything derived is stored and published,
 * and rejects if something is not: the whole call is then repeated, later one change at a time, and a change that
 * keeps failing becomes a dead letter.
 */
export interface StreamHandler {
  /** Unique. Used in logs, metrics and dead letters. */
  readonly name: string;
  readonly itemTypes: ReadonlyArray<ParsedKey['type']>;
  handle(changes: readonly Change[]): Promise<void>;
  /**
   * Called after a change of these item types became a dead letter: for a handler whose clients rely on nothing
   * being left out, so that it can say that something is. Repeated if it rejects, or if the change is read again. If it
   * keeps failing, the dead letter has its error, too, by the name `<handler>: onSkipped`.
   */
  onSkipped?(change: Change): Promise<void>;
}
