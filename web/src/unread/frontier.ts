/**
 * How far somebody has read: up to the first message that was not on their screen. Acknowledging a message
 * acknowledges all before it, so one that was seen further down waits until those in between were seen, too:
 * who jumps to the newest message has not read what they jumped over.
 */
export interface Frontier {
  /** Everything up to this position has been read. */
  readonly position: number;
  /** Positions beyond, seen out of order; bounded by what one looks at between two jumps. */
  readonly ahead: ReadonlySet<number>;
}

/** More than anybody looks at without reading on; the oldest are forgotten, which only leaves them unread. */
const MOST_AHEAD = 2_000;

export const frontierAt = (position: number): Frontier => ({ position, ahead: new Set() });

export function withSeen(frontier: Frontier, positions: readonly number[]): Frontier {
  const ahead = new Set(frontier.ahead);
  for (const position of positions) if (position > frontier.position) ahead.add(position);
  let { position } = frontier;
  while (ahead.delete(position + 1)) position++;
  for (const seen of ahead) {
    if (ahead.size <= MOST_AHEAD) break;
    ahead.delete(seen);
  }
  return { position, ahead };
}
