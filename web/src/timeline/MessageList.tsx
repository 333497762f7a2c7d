import {
  type KeyboardEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import styles from './MessageList.module.css';
import type { Message } from './message.ts';
import type { Focus } from './roomState.ts';
import { movedAtStart, type Row } from './rows.ts';

export interface MessageListProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly focus?: Focus | undefined;
  readonly onOlder: () => void;
  readonly onNewer: () => void;
  /** Messages of which the end is on the screen, while somebody looks at it. */
  readonly onSeen?: (messages: readonly Message[]) => void;
  /** Whether the newest one is on the screen. */
  readonly onAtEnd?: (atEnd: boolean) => void;
  /** Nobody scrolls any more; `far` is the end that is further from the screen. */
  readonly onRest?: (far: 'oldest' | 'newest') => void;
  /** Where few messages stand: at the bottom, where the next one comes, or under what they answer. */
  readonly few?: 'top' | 'bottom';
  readonly children: (row: Row, isActive: boolean) => ReactElement;
}

/** This near to an end the next page is asked for, in pixels. */
const AHEAD = 800;
/** A row that was never on the screen counts as this high, in pixels; an estimate that changes would move the others. */
const ROW = 48;
/** This near to the end counts as the end. */
const NEAR = 24;

const isLookedAt = () => document.visibilityState === 'visible' && document.hasFocus();

/**
 * Rows of which only those near the screen are in the page. It stays at the end while somebody is there; else
 * what they look at stays where it is, whatever is added at either end. One message takes the Tab key, the arrow
 * keys go from one to the next.
 */
export function MessageList(props: MessageListProps) {
  const { label, rows, hasOlder, hasNewer, focus, onOlder, onNewer, onSeen, onAtEnd, onRest, few, children } =
    props;
  const virtual = useRef<VirtualizerHandle>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const before = useRef(rows);
  const [active, setActive] = useState<string>();

  const shift = before.current !== rows && movedAtStart(before.current, rows);

  const look = useCallback(() => {
    const list = virtual.current;
    if (list === null) return;
    const { scrollOffset, viewportSize, scrollSize } = list;
    if (hasOlder && scrollOffset < AHEAD) onOlder();
    if (hasNewer && scrollSize - scrollOffset - viewportSize < AHEAD) onNewer();
    onAtEnd?.(atEnd.current);
    if (onSeen === undefined || !isLookedAt()) return;
    const end = scrollOffset + viewportSize;
    const seen: Message[] = [];
    for (let index = list.findItemIndex(scrollOffset); index <= list.findItemIndex(end); index++) {
      const row = rows[index];
      const bottom = list.getItemOffset(index) + list.getItemSize(index);
      if (row?.kind === 'message' && bottom > scrollOffset && bottom <= end + NEAR) seen.push(row.message);
    }
    if (seen.length > 0) onSeen(seen);
  }, [rows, hasOlder, hasNewer, onOlder, onNewer, onSeen, onAtEnd]);

  const toEnd = useCallback(() => {
    virtual.current?.scrollToIndex(rows.length - 1, { align: 'end' });
  }, [rows.length]);

  const onScroll = (offset: number) => {
    const list = virtual.current;
    if (list === null) return;
    atEnd.current = !hasNewer && list.scrollSize - offset - list.viewportSize < NEAR;
    look();
  };

  const onScrollEnd = () => {
    const list = virtual.current;
    if (list !== null)
      onRest?.(list.findItemIndex(list.scrollOffset) < rows.length / 2 ? 'newest' : 'oldest');
  };

  const onResize = () => {
    if (atEnd.current) toEnd();
    look();
  };

  useLayoutEffect(() => {
    before.current = rows;
    if (atEnd.current && !hasNewer) toEnd();
    look();
  }, [rows, hasNewer, toEnd, look]);

  const turn = focus?.turn;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each turn, not when rows come or go.
  useLayoutEffect(() => {
    const index = rows.findIndex(({ key }) => key === focus?.id);
    if (focus === undefined || index === -1) return;
    atEnd.current = false;
    // The line above the first unread message is to be seen, too.
    const options = focus.why === 'unread' ? { align: 'start', offset: -96 } : { align: 'center' };
    virtual.current?.scrollToIndex(index, options as { align: 'start' | 'center'; offset?: number });
  }, [turn]);

  useEffect(() => {
    addEventListener('focus', look);
    document.addEventListener('visibilitychange', look);
    return () => {
      removeEventListener('focus', look);
      document.removeEventListener('visibilitychange', look);
    };
  }, [look]);

  const activeKey = rows.some(({ key }) => key === active) ? active : lastMessage(rows)?.key;
  const activeIndex = rows.findIndex(({ key }) => key === activeKey);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowUp: -1, ArrowDown: 1, k: -1, j: 1 }[event.key];
    if (step === undefined || !isOnMessage(event.target)) return;
    let index = activeIndex + step;
    while (rows[index] !== undefined && rows[index]?.kind !== 'message') index += step;
    const row = rows[index];
    if (row === undefined) return;
    event.preventDefault();
    setActive(row.key);
    virtual.current?.scrollToIndex(index, { align: 'nearest' });
    // It is in the page once React and the virtual list have had their turns.
    requestAnimationFrame(() => requestAnimationFrame(() => focusOn(scroller.current, row.key)));
  };

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="log"
      aria-label={label}
      aria-live="off"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setActive(keyOf(target) ?? activeKey)}
    >
      {few !== 'top' && <div className={styles.push} />}
      <Virtualizer
        ref={virtual}
        scrollRef={scroller}
        data={rows}
        shift={shift}
        itemSize={ROW}
        onScroll={onScroll}
        onScrollEnd={onScrollEnd}
        onResize={onResize}
        keepMounted={activeIndex === -1 ? [] : [activeIndex]}
      >
        {(row) => (
          <div
            key={row.key}
            className={row.key === focus?.id && focus.why === 'link' ? styles.flash : undefined}
          >
            {children(row, row.key === activeKey)}
          </div>
        )}
      </Virtualizer>
    </div>
  );
}

const lastMessage = (rows: readonly Row[]) => rows.findLast(({ kind }) => kind === 'message');

const isOnMessage = (target: EventTarget) =>
  target instanceof HTMLElement && target.matches('[data-message]');

const keyOf = (target: EventTarget) =>
  target instanceof HTMLElement ? target.closest<HTMLElement>('[data-message]')?.dataset.message : undefined;

function focusOn(root: HTMLElement | null, key: string): void {
  root?.querySelector<HTMLElement>(`[data-message="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
