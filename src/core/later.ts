/**
 * A value that is known as soon as something is done that other values wait for as well, such as the one query that
 * finds what the viewer has for all messages of a page. Other code can use it as a promise. If a result waits for
 * nothing else, `TextOutput` waits once and then takes all values, without a promise for each of them.
 */
export class Later<T> implements Promise<Awaited<T>> {
  readonly [Symbol.toStringTag] = 'Later';
  readonly after: Promise<unknown>;
  /** Call it only when `after` is fulfilled. */
  readonly value: () => T;

  constructor(after: Promise<unknown>, value: () => T) {
    this.after = after;
    this.value = value;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise.
  then<R = Awaited<T>, E = never>(
    fulfilled?: ((value: Awaited<T>) => R | PromiseLike<R>) | null,
    rejected?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return this.#promise().then(fulfilled, rejected);
  }

  catch<E = never>(rejected?: ((reason: unknown) => E | PromiseLike<E>) | null): Promise<Awaited<T> | E> {
    return this.#promise().catch(rejected);
  }

  finally(done?: (() => void) | null): Promise<Awaited<T>> {
    return this.#promise().finally(done);
  }

  async #promise(): Promise<Awaited<T>> {
    await this.after;
    return await this.value();
  }
}
