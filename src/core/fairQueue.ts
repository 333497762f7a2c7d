/** Entries that wait, in a queue for each owner. The owners take turns, however many entries each of them has. */
export class FairQueue<Entry> {
  /** The owners' entries, the oldest first. The owner whose turn is next is the first one. */
  readonly #queues = new Map<string | undefined, Set<Entry>>();

  add(owner: string | undefined, entry: Entry): void {
    const queue = this.#queues.get(owner) ?? new Set<Entry>();
    queue.add(entry);
    this.#queues.set(owner, queue);
  }

  delete(owner: string | undefined, entry: Entry): void {
    const queue = this.#queues.get(owner);
    queue?.delete(entry);
    if (queue?.size === 0) this.#queues.delete(owner);
  }

  /** Takes the oldest entry of the next owner who may have a turn. Undefined if there is none. */
  take(mayHaveTurn: (owner: string | undefined) => boolean): Entry | undefined {
    for (const [owner, queue] of this.#queues) {
      if (!mayHaveTurn(owner)) continue;
      const [entry] = queue;
      if (entry === undefined) continue;
      this.#queues.delete(owner);
      queue.delete(entry);
      if (queue.size > 0) this.#queues.set(owner, queue);
      return entry;
    }
    return undefined;
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (const queue of this.#queues.values()) yield* queue;
  }
}
