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
  const { position } = joined(frontier.position, ahead);
  for (const seen of ahead) {
    if (ahead.size <= MOST_AHEAD) break;
    ahead.delete(seen);
  }
  return { position, ahead };
}

/** Everything up to this position has been read, on the screen or not. */
export function withReadTo(frontier: Frontier, position: number): Frontier {
  if (position <= frontier.position) return frontier;
  return joined(position, new Set([...frontier.ahead].filter((seen) => seen > position)));
}

/** Moves the position over what was seen right after it, which it takes out of `ahead`. */
function joined(from: number, ahead: Set<number>): Frontier {
  let position = from;
  while (ahead.delete(position + 1)) position++;
  return { position, ahead };
}
