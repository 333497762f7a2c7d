import {
  defaultRangeExtractor,
  elementScroll,
  observeElementRect,
  useVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef } from 'react';
import type { Focus } from './roomState.ts';
import type { Row } from './rows.ts';
import { useKeptEnd } from './useKeptEnd.ts';

export interface RowsOptions {
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly focus: Focus | undefined;
  /** The rows that are rendered wherever they are, such as one that may have the focus. */
  readonly keptIndexes: (list: Element | null) => readonly number[];
  /** A distance from the end that counts as the end, in pixels. */
  readonly near: number;
}

/**
 * The estimated height of a row that was never rendered, in pixels: less than any row has. At the very top, the scroll
 * position can be corrected for rows that turn out to be higher, but not for lower ones.
 */
const ROW = 24;
/** The height of the notice at an end that more is being loaded, in pixels. */
const EDGE = 48;
/** Space above the first unread message for its line and a part of the message before it, in pixels. */
const CONTEXT = 96;
/** Rendered rows outside of the screen, at each end. */
const OVERSCAN = 8;
/** A distance from the end that is never reached, in pixels. */
const NEVER = -1;
/** How long a requested row is kept on the screen while rows around it are still added, in milliseconds. */
const SETTLES_MS = 300;
/** And for at least this number of frames: the library ends a scroll in a few frames after it has reached the row. */
const SETTLES_FRAMES = 5;

/**
 * Positions rows by their keys, so that the visible ones stay in place when rows are added or removed at either end. A
 * reader at the end stays there, which is the work of `useKeptEnd`.
 *
 * It sets `isScrolling` and reads `itemSizeCache`, which TanStack's `Virtualizer` exposes but does not document. The
 * documented API cannot forget the sizes of removed rows, nor say whether a row was measured before, nor measure a new
 * row at once while the user scrolls (`measureElement` then waits for a frame).
 */
export function useRows({ rows, hasOlder, hasNewer, focus, keptIndexes, near }: RowsOptions) {
  const scroller = useRef<HTMLDivElement>(null);
  const sizer = useRef<HTMLDivElement>(null);
  const aim = useRef<Focus>(undefined);
  const keptEnd = useKeptEnd({ scroller, isNewestLoaded: !hasNewer, near });
  keptEnd.observe();

  const virtual = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    rangeExtractor(range) {
      const indexes = new Set([...defaultRangeExtractor(range), ...keptIndexes(scroller.current)]);
      return [...indexes].sort((one, other) => one - other);
    },
    paddingStart: hasOlder ? EDGE : 0,
    paddingEnd: hasNewer ? EDGE : 8,
    scrollPaddingStart: CONTEXT,
    scrollPaddingEnd: near,
    initialOffset: () => Math.max(0, focus === undefined ? rows.length : indexOf(rows, focus)) * ROW,
    anchorTo: 'end',
    // The library follows the growth of the last row in the frame in which it grows, and only if asked to.
    scrollEndThreshold: keptEnd.isOn() ? near : NEVER,
    // The library keeps the visible rows in place, for example when one above them becomes higher.
    scrollToFn: (...args) => keptEnd.move(() => elementScroll(...args)),
    // For example when the composer grows.
    observeElementRect: (instance, notify) =>
      observeElementRect(instance, (rect) => {
        notify(rect);
        keptEnd.keep();
      }),
  });

  // A row whose height changes moves the rows above it, if the user looks at those below.
  const first = useRef<VirtualItem['key']>(undefined);
  const firstIndex = rows.findIndex(({ key }) => key === first.current);
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (row) => {
    const top = virtual.scrollOffset ?? 0;
    return virtual.itemSizeCache.has(row.key) ? row.end <= top : row.start < top || row.index < firstIndex;
  };
  useLayoutEffect(() => {
    const top = virtual.scrollOffset ?? 0;
    first.current = virtual.getVirtualItems().find(({ end }) => end > top)?.key;
  });

  useLayoutEffect(() => forget(virtual.itemSizeCache, rows), [virtual, rows]);

  const requestId = focus?.requestId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per request, not when rows come or go.
  useLayoutEffect(() => {
    const isToNewest = focus === undefined || focus.why === 'newest';
    if (isToNewest) keptEnd.start();
    else keptEnd.stop();
    aim.current = isToNewest ? undefined : focus;
    // Few rows need no scrolling, and no event would say that the reader is at the end.
    const timer = setTimeout(keptEnd.settle, SETTLES_MS);
    const stopAiming = aim.current === undefined ? () => {} : keepAiming();
    return () => {
      clearTimeout(timer);
      stopAiming();
    };
  }, [requestId]);
  const scrollToAim = useRef(() => {});
  scrollToAim.current = () => {
    if (aim.current === undefined) return;
    // The library scrolls to an index, which changes when rows are added above.
    const index = indexOf(rows, aim.current);
    if (index !== -1)
      virtual.scrollToIndex(index, { align: aim.current.why === 'link' ? 'center' : 'start' });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each request, and while rows are still added.
  useLayoutEffect(() => scrollToAim.current(), [virtual, rows, requestId]);
  // After each render: the rows or their heights may have changed.
  useLayoutEffect(keptEnd.keep);
  useLayoutEffect(() => {
    const element = scroller.current;
    const cancel = () => {
      aim.current = undefined;
    };
    for (const input of INPUTS) element?.addEventListener(input, cancel, { passive: true });
    return () => {
      for (const input of INPUTS) element?.removeEventListener(input, cancel);
    };
  }, []);

  /** To be called with each row when it is rendered. */
  const measure = useCallback(
    (row: HTMLDivElement | null) => {
      // While the user scrolls, the library would wait for a frame, in which rows of unknown height overlap.
      const { isScrolling } = virtual;
      virtual.isScrolling = false;
      // Updates the positions of all rows after the last measurement.
      virtual.getTotalSize();
      virtual.measureElement(row);
      virtual.isScrolling = isScrolling;
    },
    [virtual],
  );

  /** Scrolls until a row is on the screen, for example because it got the focus. */
  const scrollTo = useCallback(
    (index: number) => {
      aim.current = undefined;
      keptEnd.stop();
      virtual.scrollToIndex(index, { align: 'auto' });
      keptEnd.settle();
    },
    [virtual, keptEnd],
  );

  /**
   * Scrolls again until the requested row has settled on the screen. The library forgets where it scrolls if rows are
   * added before its first frame, which may be late on a slow machine.
   */
  function keepAiming(): () => void {
    const wanted = aim.current;
    let since = performance.now();
    let frames = 0;
    let request = requestAnimationFrame(look);
    function look(now: number): void {
      if (wanted === undefined || aim.current !== wanted) return;
      if (isOnScreen(virtual.elementsCache.get(wanted.id), scroller.current)) frames++;
      else {
        frames = 0;
        since = now;
        scrollToAim.current();
      }
      if (frames < SETTLES_FRAMES || now - since < SETTLES_MS) request = requestAnimationFrame(look);
      else aim.current = undefined;
    }
    return () => cancelAnimationFrame(request);
  }

  return { virtual, scroller, sizer, measure, keptEnd, scrollTo };
}

/** Input that means that the user scrolls. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

function isOnScreen(row: Element | undefined, scroller: Element | null): boolean {
  if (row?.isConnected !== true || scroller === null) return false;
  const [{ top, bottom }, box] = [row.getBoundingClientRect(), scroller.getBoundingClientRect()];
  return bottom > box.top && top < box.bottom;
}

const indexOf = (rows: readonly Row[], { id }: Focus) => rows.findIndex(({ key }) => key === id);

/** Sizes of removed rows are kept up to this number, for users who scroll back and forth. */
const MAX_REMOVED_SIZES = 2_000;

function forget(sizes: Map<unknown, number>, rows: readonly Row[]): void {
  if (sizes.size <= rows.length + MAX_REMOVED_SIZES) return;
  const kept = new Set<unknown>(rows.map(({ key }) => key));
  for (const key of sizes.keys()) if (!kept.has(key)) sizes.delete(key);
}
