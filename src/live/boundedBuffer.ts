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

export function createBoundedBuffer<T>(options: BoundedBufferOptions<T>): BoundedBuffer<T> {
  return new Buffered(options);
}

/** A class, because a server holds one for each socket: an object with getters takes 0.5 KB more. */
class Buffered<T> implements BoundedBuffer<T> {
  readonly #options: BoundedBufferOptions<T>;
  #items: T[] = [];
  #weight = 0;
  #overflowed = false;

  constructor(options: BoundedBufferOptions<T>) {
    this.#options = options;
  }

  get first(): T | undefined {
    return this.#items[0];
  }

  get overflowed(): boolean {
    return this.#overflowed;
  }

  add(item: T): void {
    if (this.#overflowed) return;
    const { max, weightOf } = this.#options;
    this.#items.push(item);
    this.#weight += weightOf(item);
    this.#overflowed = this.#weight > max;
    if (this.#overflowed) this.#items = [];
  }

  shift(): void {
    const item = this.#items.shift();
    if (item !== undefined) this.#weight -= this.#options.weightOf(item);
  }

  clear(): void {
    this.#items = [];
    this.#weight = 0;
    this.#overflowed = false;
  }
}
