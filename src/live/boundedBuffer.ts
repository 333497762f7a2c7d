export interface BoundedBufferOptions<T> {
  /** The sum of weights that is kept. */
  readonly max: number;
  readonly weightOf: (item: T) => number;
}

/** What has arrived for one slow reader, in order. If it exceeds the bound, everything is dropped. */
export interface BoundedBuffer<T> {
  /** Keeps the item. If the sum of weights is then above `max`, the buffer is emptied and stays empty until `clear`. */
  add(item: T): void;
  readonly first: T | undefined;
  /** Removes the first item. */
  shift(): void;
  /** Something was dropped since the last `clear`. */
  readonly overflowed: boolean;
  clear(): void;
}

export function createBoundedBuffer<T>({ max, weightOf }: BoundedBufferOptions<T>): BoundedBuffer<T> {
  let items: T[] = [];
  let weight = 0;
  let overflowed = false;
  return {
    add(item) {
      if (overflowed) return;
      items.push(item);
      weight += weightOf(item);
      overflowed = weight > max;
      if (overflowed) items = [];
    },
    get first() {
      return items[0];
    },
    shift() {
      const item = items.shift();
      if (item !== undefined) weight -= weightOf(item);
    },
    get overflowed() {
      return overflowed;
    },
    clear() {
      items = [];
      weight = 0;
      overflowed = false;
    },
  };
}
