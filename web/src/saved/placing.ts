/**
 * Which rows of a list are rendered, and where. Its cost depends on the height of the screen, not on the number of
 * rows: rows are placed from one whose place is known, and the scroll bar counts rows. Browsers do not draw elements of
 * more than 16 to 33 million pixels, and a million rows have a hundred, so the list is at most `TALLEST` high, and is
 * moved if it is not where the scroll bar says. Positions are pixels from the top of what is scrolled.
 */

/** The height of a list, at most, in pixels. */
export const TALLEST = 8_000_000;
/** Rows that are rendered beyond each end of the screen. */
const OVERSCAN = 8;
/**
 * The scroll bar, Home and End move by more than this number of screens. Everything else scrolls through the rows
 * between.
 */
const JUMP = 3;
/** A lower screen counts as one of this height, in pixels: a step of the wheel is not a jump on it. */
const LOW = 600;
/** So close to an end, in screens, a pixel of the scroll bar is a pixel of the list. */
const EDGE = 16;
/** With fewer screens than these left, and rows beyond them, the list is moved at once. */
const TIGHT = 4;
/** Farther than this share of the list from where the scroll bar says, the list is moved when it rests. */
const APART = 0.02;

/** A row whose place is known: the point at `share` of its height is at `y`. */
export interface Anchor {
  readonly index: number;
  readonly share: number;
  readonly y: number;
}

/** What the user sees of the list. */
export interface Screen {
  readonly top: number;
  readonly height: number;
}

export interface Heights {
  readonly count: number;
  /** The expected height of a row that was not measured. */
  readonly usual: number;
  /** Of a row: measured, or the usual one. */
  of(index: number): number;
}

/** The rows that are rendered. */
export interface Block {
  readonly first: number;
  readonly last: number;
  /** The position of the first of them. */
  readonly top: number;
  /** The height of the whole list. */
  readonly height: number;
  /** The first row on the screen; at the end of the list, the end of the last one. */
  readonly anchor: Anchor;
}

/** `jumping`: the height at the start of a jump, which must not change until its end: browsers aim at a place in it. */
export function blockAt(anchor: Anchor, screen: Screen, heights: Heights, jumping?: number): Block {
  const end = heights.count - 1;
  let index = Math.max(0, Math.min(anchor.index, end));
  let top = anchor.y - anchor.share * heights.of(index);
  while (index > 0 && top > screen.top) top -= heights.of(--index);
  while (index < end && top + heights.of(index) <= screen.top) top += heights.of(index++);
  const seen: Anchor = { index, share: 0, y: top };

  let first = index;
  while (first > Math.max(0, index - OVERSCAN)) top -= heights.of(--first);
  let last = index;
  let bottom = seen.y + heights.of(index);
  while (last < end && bottom < screen.top + screen.height) bottom += heights.of(++last);
  for (let more = 0; more < OVERSCAN && last < end; more++) bottom += heights.of(++last);

  const whole = bottom + (end - last) * heights.usual;
  const height = Math.max(bottom, jumping ?? (last === end ? 0 : Math.min(whole, TALLEST)));
  // Rows that are read at the end may become higher: the user stays at the end.
  const isAtLast = last === end && screen.top > 0 && bottom <= screen.top + screen.height + 1;
  return { first, last, top, height, anchor: isAtLast ? { index: end, share: 1, y: bottom } : seen };
}

/** Whether the scroll bar was moved, rather than the list. */
export const isJump = (from: number, { top, height }: Screen): boolean =>
  Math.abs(top - from) > JUMP * Math.max(height, LOW);

/**
 * Whether the scroll bar is at one of its ends. Rows turn out to be higher or lower: the last half of a screen is the
 * end.
 */
export const isAtEdge = (screen: Screen, height: number): boolean =>
  screen.top <= 0 || isAtEnd(screen, height);
const isAtEnd = (screen: Screen, height: number) => screen.top + 1.5 * screen.height >= height;

/** The row for a position of the scroll bar: that at the same share of all rows, at the same share of the screen. */
export function jumpedTo(screen: Screen, height: number, { count }: Heights): Anchor {
  const end = Math.max(1, height - screen.height);
  // There may be more below the list.
  const top = Math.max(0, Math.min(screen.top, end));
  const part = top > 0 && isAtEnd(screen, height) ? 1 : top / end;
  const index = Math.min(count - 1, Math.floor(part * count));
  return { index, share: part * count - index, y: top + part * screen.height };
}

/**
 * The anchor once rows have come and gone: the first row from it on that is still there stays in place. `find`: the new
 * index of a row, -1 if there is none; `heights`: before the change.
 */
export function keptAnchor(
  anchor: Anchor,
  last: number,
  heights: Heights,
  find: (index: number) => number,
): Anchor {
  let index = anchor.index;
  let found = find(index);
  if (found !== -1) return { ...anchor, index: found };
  // The end of the list stays its end.
  if (anchor.share === 1) return anchor;
  let y = anchor.y - anchor.share * heights.of(index);
  while (index < last) {
    y += heights.of(index++);
    found = find(index);
    if (found !== -1) return { index: found, share: 0, y };
  }
  return anchor;
}

export interface Where {
  readonly block: Block;
  readonly screen: Screen;
  /** Whether the user does not scroll. */
  readonly isResting: boolean;
}

/** By how much the list and the scroll bar should be moved, which does not move what is on the screen. 0: not now. */
export function missing({ block, screen, isResting }: Where, heights: Heights): number {
  const { first, last, top, height } = block;
  if (heights.count === 0) return 0;
  if (first === 0) return -top;
  if (last === heights.count - 1) return 0;
  const ideal = idealTop(block, screen, heights);
  const by = ideal - screen.top;
  const tight = TIGHT * screen.height;
  const isTight =
    (by > screen.height && screen.top < tight) ||
    (-by > screen.height && screen.top > height - screen.height - tight);
  const isApart = Math.abs(by) > Math.max(APART * height, tight);
  return isTight || (isResting && isApart) ? by : 0;
}

/** The right place of the scroll bar. */
function idealTop({ height, anchor }: Block, screen: Screen, { count, usual, of }: Heights): number {
  const before = anchor.index + (screen.top - anchor.y) / of(anchor.index);
  const after = Math.max(0, count - before - screen.height / usual);
  const end = height - screen.height;
  const edge = EDGE * screen.height;
  const ideal = (before / (before + after)) * end;
  if (ideal < edge) return Math.max(ideal, Math.min(before * usual, edge));
  if (ideal > end - edge) return Math.min(ideal, Math.max(end - after * usual, end - edge));
  return ideal;
}
