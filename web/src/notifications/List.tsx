import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
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
  readonly onClose: () => void;
  /** Stands under the last one. */
  readonly children: ReactNode;
}

/** This near to the end the next page is asked for, in pixels. */
const AHEAD = 600;
/** So much of an edge may be hidden. */
const NEARLY = 8;

/** Notifications, of which only those near the screen are in the page. */
export function List({ shown, fresh, onMore, onScreen, onClose, children }: ListProps) {
  const virtual = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<string>();
  const activeIndex = shown.findIndex(({ id }) => id === active);

  const look = useCallback(() => {
    const list = virtual.current;
    if (list === null) return;
    const start = list.scrollOffset;
    const end = start + list.viewportSize;
    if (list.scrollSize - end < AHEAD) void onMore?.();
    const isWhole = (_: Notification, index: number) => {
      const top = list.getItemOffset(index);
      return top >= start - NEARLY && top + list.getItemSize(index) <= end + NEARLY;
    };
    onScreen(isLookedAt() && list.viewportSize > 0 ? shown.filter(isWhole) : []);
  }, [shown, onMore, onScreen]);

  useLayoutEffect(look, [look]);
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
      onFocus={({ target }) => setActive(target.dataset.notification)}
    >
      <Virtualizer
        ref={virtual}
        scrollRef={scroller}
        as="ul"
        item="li"
        data={shown}
        onScroll={look}
        onResize={look}
        keepMounted={activeIndex === -1 ? [] : [activeIndex]}
      >
        {(one) => <Row key={one.id} notification={one} isFresh={fresh.has(one.id)} onClose={onClose} />}
      </Virtualizer>
      {children}
    </div>
  );
}
