import {
  defaultRangeExtractor,
  observeElementRect,
  useVirtualizer,
  type VirtualItem,
} from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useRef } from 'react';
import type { Focus } from './roomState.ts';
import type { Row } from './rows.ts';

export interface RowsOptions {
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly focus: Focus | undefined;
  /** In the page wherever it is: it may have the focus. */
  readonly activeIndex: number;
  /** This near to the end counts as the end, in pixels. */
  readonly near: number;
}

/**
 * A row that was never on the screen counts as this high, in pixels: less than any is. At the very top the
 * screen can go along with rows that turn out to be higher, but not with lower ones.
 */
const ROW = 24;
/** What says at an end that there is more, in pixels. */
const EDGE = 48;
/** Above the first unread message its line, and a little of what came before, are to be seen. */
const CONTEXT = 96;
/** Rows beyond the screen that are in the page, at each end. */
const OVERSCAN = 8;
/** So long a place that was asked for is kept while the rows around it are still coming, in milliseconds. */
const SETTLES_MS = 300;

/** Where rows are: by their keys, so that what is on the screen stays there whatever comes or goes at either end. */
export function useRows({ rows, hasOlder, hasNewer, focus, activeIndex, near }: RowsOptions) {
  const scroller = useRef<HTMLDivElement>(null);
  const sizer = useRef<HTMLDivElement>(null);
  const atEnd = useRef(focus === undefined);
  const reachedNewest = useRef(!hasNewer);
  const aim = useRef<{ readonly focus: Focus; readonly until: number }>(undefined);

  const virtual = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: rows.length,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range);
      if (activeIndex === -1 || indexes.includes(activeIndex)) return indexes;
      return [...indexes, activeIndex].sort((one, other) => one - other);
    },
    paddingStart: hasOlder ? EDGE : 0,
    paddingEnd: hasNewer ? EDGE : 8,
    scrollPaddingStart: CONTEXT,
    scrollPaddingEnd: near,
    initialOffset: () => Math.max(0, focus === undefined ? rows.length : indexOf(rows, focus)) * ROW,
    anchorTo: 'end',
    scrollEndThreshold: near,
    // A page of what was said since is to be read from its beginning; what comes live is followed.
    followOnAppend: reachedNewest.current && !hasNewer,
    // As when somebody writes a longer text below.
    observeElementRect: (instance, tell) =>
      observeElementRect(instance, (rect) => {
        tell(rect);
        if (atEnd.current) instance.scrollToEnd();
      }),
  });

  // A row that turns out to be of another height moves what is above it, where somebody looks at what is below.
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

  useLayoutEffect(() => {
    reachedNewest.current = !hasNewer;
    forget(virtual.itemSizeCache, rows);
  }, [virtual, rows, hasNewer]);

  const turn = focus?.turn;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each turn, not when rows come or go.
  useLayoutEffect(() => {
    aim.current = focus && { focus, until: performance.now() + SETTLES_MS };
    if (focus === undefined) virtual.scrollToEnd();
  }, [virtual, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each turn, and as long as rows are still coming.
  useLayoutEffect(() => {
    const { focus: wanted, until } = aim.current ?? {};
    if (wanted === undefined || until === undefined || performance.now() > until) return;
    atEnd.current = wanted.why === 'newest';
    if (wanted.why === 'newest') return virtual.scrollToEnd();
    // The library aims at an index: it is another one when rows have come above.
    const index = indexOf(rows, wanted);
    if (index !== -1) virtual.scrollToIndex(index, { align: wanted.why === 'unread' ? 'start' : 'center' });
  }, [virtual, rows, turn]);
  useLayoutEffect(() => {
    const element = scroller.current;
    const giveUp = () => {
      aim.current = undefined;
    };
    for (const input of INPUTS) element?.addEventListener(input, giveUp, { passive: true });
    return () => {
      for (const input of INPUTS) element?.removeEventListener(input, giveUp);
    };
  }, []);

  /** For each row that comes into the page. */
  const measure = useCallback(
    (row: HTMLDivElement | null) => {
      // The library would wait a frame while somebody scrolls, in which rows of unknown height overlap.
      const { isScrolling } = virtual;
      virtual.isScrolling = false;
      // Where the rows are since the last one was measured.
      virtual.getTotalSize();
      virtual.measureElement(row);
      virtual.isScrolling = isScrolling;
    },
    [virtual],
  );

  return { virtual, scroller, sizer, measure, atEnd };
}

/** Somebody scrolls. */
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

const indexOf = (rows: readonly Row[], { id }: Focus) => rows.findIndex(({ key }) => key === id);

/** Sizes of rows that are gone: some are kept, for who scrolls back and forth. */
const REMEMBERED = 2_000;

function forget(sizes: Map<unknown, number>, rows: readonly Row[]): void {
  if (sizes.size <= rows.length + REMEMBERED) return;
  const kept = new Set<unknown>(rows.map(({ key }) => key));
  for (const key of sizes.keys()) if (!kept.has(key)) sizes.delete(key);
}
