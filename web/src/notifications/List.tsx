import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isLookedAt } from '../unread/isLookedAt.ts';
import type { Notification } from './listing.ts';
import styles from './Panel.module.css';
import { Row } from './Row.tsx';

export interface ListProps {
  readonly shown: readonly Notification[];
  readonly fresh: ReadonlySet<string>;
  /** Somebody is near the end of what there is; undefined where there is no going on. */
  readonly onMore: (() => Promise<void>) | undefined;
  /** Those that are on the screen as a whole, each time that these are others; none while nobody looks. */
  readonly onScreen: (notifications: readonly Notification[]) => void;
  readonly onOpen: (notification: Notification) => void;
  /** Stands under the last one. */
  readonly children: ReactNode;
}

/** This near to the end the next page is asked for, in pixels. */
const AHEAD = 600;
/** So much of an edge may be hidden. */
const NEARLY = 8;
/** One that was never on the screen counts as this high, in pixels. */
const ROW = 100;

/** Notifications, of which only those near the screen are in the page. */
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
      // In their order: the arrow keys and Tab go by it.
      return [...new Set([...indexes, ...(activeIndex === -1 ? [] : [activeIndex])])].sort((a, b) => a - b);
    },
  });

  const look = useCallback(() => {
    const list = scroller.current;
    if (list === null) return;
    const start = list.scrollTop;
    const end = start + list.clientHeight;
    if (list.scrollHeight - end < AHEAD) void onMore?.();
    const whole = virtual.getVirtualItems().flatMap((row) => {
      // One that is not in the page yet is only guessed to be on the screen.
      const isThere = virtual.elementsCache.has(row.key);
      const isWhole = row.start >= start - NEARLY && row.end <= end + NEARLY;
      return isThere && isWhole ? (shown[row.index] ?? []) : [];
    });
    onScreen(isLookedAt() && list.clientHeight > 0 ? whole : []);
  }, [virtual, shown, onMore, onScreen]);

  // Whatever is drawn: others, other heights, another part of them.
  useLayoutEffect(look);
  useEffect(() => {
    for (const event of ['focus', 'blur']) addEventListener(event, look);
    document.addEventListener('visibilitychange', look);
    return () => {
      for (const event of ['focus', 'blur']) removeEventListener(event, look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [look]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches which of the links in it has the focus.
    <div
      ref={scroller}
      className={styles.scroller}
      onScroll={look}
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
