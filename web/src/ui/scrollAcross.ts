/** A little of the neighbour shows that there are more. In pixels. */
const PEEK = 24;

/** Brings the current link of a line of links into view. Unlike `scrollIntoView`, it scrolls only this line. */
export function scrollAcross(line: HTMLElement | null): void {
  const current = line?.querySelector('[aria-current]');
  if (line == null || current == null) return;
  const [outer, inner] = [line.getBoundingClientRect(), current.getBoundingClientRect()];
  if (inner.right > outer.right) line.scrollLeft += inner.right - outer.right + PEEK;
  else if (inner.left < outer.left) line.scrollLeft -= outer.left - inner.left + PEEK;
}
