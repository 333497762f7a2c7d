/**
 * A map of at most `max` entries: setting one makes it the newest, and the oldest is dropped.
 *
 * By hand, because a server holds one for each user and each open room, and lru-cache allocates for its `max` when it
 * is created: 30 KB for 1,000 entries and 7 KB for 256, against 0.1 KB for an empty map (measured with lru-cache 11).
 */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#max) this.delete(this.keys().next().value as K);
    return this;
  }
}
