/** How our clock differs from the database's, by the `Date` header of its responses. */
export interface ServerClock {
  /** Remembers a response. Times are milliseconds since 1970 on our clock. */
  observe(date: string | undefined, sentAt: number, receivedAt: number): void;
  /**
   * The database's clock minus ours, in milliseconds, by the last response: no less than `least`, and no more than
   * `most`. Undefined if no response had a date.
   */
  offset(): { readonly least: number; readonly most: number } | undefined;
}

/** The header has whole seconds, rounded down. */
const RESOLUTION_MS = 1_000;

export function createServerClock(): ServerClock {
  let last: { readonly date: string; readonly sentAt: number; readonly receivedAt: number } | undefined;
  return {
    observe(date, sentAt, receivedAt) {
      if (date !== undefined) last = { date, sentAt, receivedAt };
    },
    offset() {
      if (last === undefined) return undefined;
      const time = Date.parse(last.date);
      if (Number.isNaN(time)) return undefined;
      // It was written at some moment between the two times.
      return { least: time - last.receivedAt, most: time + RESOLUTION_MS - last.sentAt };
    },
  };
}
