import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isPageActive } from '../unread/isPageActive.ts';
import type { Notification } from './listing.ts';
import styles from './Panel.module.css';
import { Row } from './Row.tsx';

export interface ListProps {
  readonly shown: readonly Notification[];
  readonly fresh: ReadonlySet<string>;
  /** Called when the viewer scrolls near the end. Undefined if no further page can be read. */
  readonly onMore: (() => Promise<void>) | undefined;
  /** Called with the notifications that are fully on the screen. Empty while the window is hidden or without focus. */
  readonly onScreen: (notifications: readonly Notification[]) => void;
  readonly onOpen: (notification: Notification) => void;
  /** Shown below the last notification. */
  readonly children: ReactNode;
}

/** The distance from the end at which the next page is requested, in pixels. */
const AHEAD = 600;
/** How many pixels of a row may be hidden while it still counts as fully visible. */
const NEARLY = 8;
/** The estimated height of a row that was not measured yet, in pixels. */
const ROW = 100;

/** A virtual list of notifications: only rows near the screen are rendered. */
export function List({ shown, fresh, onMore, onScreen, onOpen, children }: ListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const activeIndex = shown.findIndex(({ id }) => id === active);
  const virtual = useVirtualizer<HTMLDivElement, HTMLLIElement>({
    count: shown.length,
    getItemKey: useCallback((index: number) => shown[index]?.id ?? index, [shown]),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 2,
    rangeExtractor(range) {
      const indexes = defaultRangeExtractor(range);
      // In order, because the arrow keys and Tab follow the order of the elements.
      return [...new Set([...indexes, ...(activeIndex === -1 ? [] : [activeIndex])])].sort((a, b) => a - b);
    },
  });

  const checkVisible = useCallback(() => {
    const list = scroller.current;
    if (list === null) return;
    const start = list.scrollTop;
    const end = start + list.clientHeight;
    if (list.scrollHeight - end < AHEAD) void onMore?.();
    const whole = virtual.getVirtualItems().flatMap((row) => {
      // The position of a row that is not rendered yet is only an estimate.
      const isThere = virtual.elementsCache.has(row.key);
      const isWhole = row.start >= start - NEARLY && row.end <= end + NEARLY;
      return isThere && isWhole ? (shown[row.index] ?? []) : [];
    });
    onScreen(isPageActive() && list.clientHeight > 0 ? whole : []);
  }, [virtual, shown, onMore, onScreen]);

  // After each render, because rows, heights or the scroll position may have changed.
  useLayoutEffect(checkVisible);
  useEffect(() => {
    for (const event of ['focus', 'blur']) addEventListener(event, checkVisible);
    document.addEventListener('visibilitychange', checkVisible);
    return () => {
      for (const event of ['focus', 'blur']) removeEventListener(event, checkVisible);
      document.removeEventListener('visibilitychange', checkVisible);
    };
  }, [checkVisible]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes which link inside it has the focus.
    <div
      ref={scroller}
      className={styles.scroller}
      onScroll={checkVisible}
      onFocus={({ target }) => setActive(target.dataset.notification)}
    >
      <ul className={styles.list} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const one = shown[index];
          if (one === undefined) return null;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              className={styles.place}
              style={{ top: start }}
            >
              <Row notification={one} isFresh={fresh.has(one.id)} onOpen={onOpen} />
            </li>
          );
        })}
      </ul>
      {children}
    </div>
  );
}
