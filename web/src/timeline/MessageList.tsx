import {
  type KeyboardEvent,
  type ReactElement,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { useSingleKeys } from '../shell/singleKeys.ts';
import { isFocusLost } from '../ui/isFocusLost.ts';
import { isPageActive } from '../unread/isPageActive.ts';
import styles from './MessageList.module.css';
import type { Message } from './message.ts';
import type { Focus } from './roomState.ts';
import { knownRows, passedSince, type Row } from './rows.ts';
import { useRows } from './useRows.ts';
import type { End } from './window.ts';

export interface MessageListProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
  readonly focus?: Focus | undefined;
  /** A row to bring onto the screen, when it changes. */
  readonly shown?: string | undefined;
  /** Resolves with whether it is worth calling again. */
  readonly onOlder: () => Promise<boolean>;
  readonly onNewer: () => Promise<boolean>;
  /** Called with the messages whose end is on the screen, while the page is visible and has the focus. */
  readonly onSeen?: (messages: readonly Message[]) => void;
  /** Another one than before: not all rows that are new have just come. */
  readonly gaps?: number | undefined;
  /** Called with whether the newest message is on the screen. */
  readonly onAtEnd?: (atEnd: boolean) => void;
  /** Called with when the first row on the screen was sent, or with nothing if it begins a day. */
  readonly onFirst?: (at: string | undefined) => void;
  /** Called with the end that is far from the screen, and may be cut if the list is long. */
  readonly onLong: (far: End) => void;
  /** The position of a list that is shorter than the screen: above the composer, or below the root. */
  readonly few?: 'top' | 'bottom';
  readonly children: (row: Row, isActive: boolean) => ReactElement;
}

/** The distance from an end at which the next page is requested, in pixels. */
const AHEAD = 1_200;
/** A distance from the end that counts as the end, in pixels. */
const NEAR = 24;
/** Single keys, and how many rows they move by. */
const SINGLE = { k: -1, j: 1 };

/**
 * A list that renders only the rows near the screen. At the end it follows new messages; elsewhere the visible rows
 * stay in place when others are added or removed. The Tab key reaches one message, and the arrow keys move between
 * them.
 */
export function MessageList(props: MessageListProps) {
  const { label, rows, hasOlder, hasNewer, focus, shown, few, children } = props;
  const { t } = useI18n();
  const { areOn } = useSingleKeys();
  const [active, setActive] = useState<string>();
  const isKnown = active !== undefined && rows.some(({ key }) => key === active);
  const activeKey = isKnown ? active : rows.findLast(({ kind }) => kind === 'message')?.key;
  const latestActive = useRef(activeKey);
  latestActive.current = activeKey;
  const { scroller, sizer, virtual, measure, keptEnd, scrollTo } = useRows({
    rows,
    hasOlder,
    hasNewer,
    focus,
    keptIndexes(list) {
      const kept = new Set([activeKey, ...editedIn(list)]);
      return rows.flatMap(({ key }, index) => (kept.has(key) ? [index] : []));
    },
    near: NEAR,
  });
  const latest = useRef(props);
  latest.current = props;
  const requested = useRef(new Set<End>());
  /** At the last look, while the user follows the end. */
  const followed = useRef<{ readonly known: ReadonlySet<string>; readonly gaps: number | undefined }>(
    undefined,
  );

  /** Has the Tab key reach a message on the screen. What is used stays: it must not be removed from the list. */
  const reachVisible = useCallback(
    (top: number, height: number): void => {
      const { rows, shown, focus } = latest.current;
      if (shown !== undefined || isUsed(scroller.current)) return;
      if (latestActive.current !== undefined && editedIn(scroller.current).includes(latestActive.current))
        return;
      const visible = virtual.getVirtualItems().flatMap(({ index, start, end }) => {
        const row = rows[index];
        return row?.kind === 'message' && end > top && start < top + height ? [{ key: row.key, end }] : [];
      });
      if (visible.some(({ key }) => key === latestActive.current)) return;
      const linked = focus?.why === 'link' ? visible.find(({ key }) => key === focus.id) : undefined;
      const last = linked ?? visible.findLast(({ end }) => end <= top + height) ?? visible.at(-1);
      if (last !== undefined) setActive(last.key);
    },
    [virtual, scroller],
  );

  /** Requests pages that are near the screen, and reports what is seen. */
  const checkVisible = useCallback((): void => {
    const element = scroller.current;
    if (element === null || virtual.range === null) return;
    const { rows, gaps, hasOlder, hasNewer, onOlder, onNewer, onSeen, onAtEnd, onFirst, onLong } =
      latest.current;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const below = scrollHeight - clientHeight - scrollTop;

    const top = scrollTop - (sizer.current?.offsetTop ?? 0);
    const firstOn = (offset: number) => {
      const first = virtual.getVirtualItems().find(({ end }) => end > offset);
      const row = first && rows[first.index];
      if (first === undefined || row === undefined || row.kind === 'start') return undefined;
      if (row.day !== undefined && first.start >= offset) return undefined;
      return row.kind === 'message' ? row.message.createdAt : row.outgoing.at;
    };

    const request = async (end: End, more: () => Promise<boolean>) => {
      if (requested.current.has(end)) return;
      requested.current.add(end);
      const again = await more();
      requested.current.delete(end);
      // If the page did not fit any more, no other event would request one.
      if (again) checkVisible();
    };
    if (hasOlder && scrollTop < AHEAD) void request('older', onOlder);
    if (hasNewer && below < AHEAD) void request('newer', onNewer);
    onLong(virtual.range.startIndex < rows.length / 2 ? 'newer' : 'older');
    // In a narrow window, a thread may cover it.
    const isShown = getComputedStyle(element).visibility === 'visible';
    reachVisible(top, clientHeight);
    const isAtEnd = (keptEnd.isOn() || (!hasNewer && below < NEAR)) && isShown;
    onAtEnd?.(isAtEnd);
    onFirst?.(firstOn(top));
    if (onSeen === undefined || !isShown || !isPageActive()) {
      followed.current = undefined;
      return;
    }
    const seen = virtual.getVirtualItems().flatMap(({ index, key, end }) => {
      // The position of a row that is not rendered yet is only an estimate.
      const isThere = virtual.elementsCache.has(key);
      return isThere && end > top && end <= top + clientHeight + NEAR ? [index] : [];
    });
    const [first, last] = [seen[0], seen.at(-1)];
    if (first === undefined || last === undefined) return;
    const known = followed.current?.gaps === gaps ? followed.current?.known : undefined;
    const passed = known === undefined ? [] : passedSince(known, rows, first);
    followed.current = isAtEnd ? { known: knownRows(known, rows, last), gaps } : undefined;
    const all = [...passed, ...seen.flatMap((index) => rows[index] ?? [])];
    const messages = all.flatMap((row) => (row.kind === 'message' ? [row.message] : []));
    if (messages.length > 0) onSeen(messages);
  }, [virtual, scroller, sizer, keptEnd, reachVisible]);

  // After each render: the rows, their heights or the visible part may have changed.
  useLayoutEffect(checkVisible);
  useEffect(() => {
    addEventListener('focus', checkVisible);
    document.addEventListener('visibilitychange', checkVisible);
    return () => {
      removeEventListener('focus', checkVisible);
      document.removeEventListener('visibilitychange', checkVisible);
    };
  }, [checkVisible]);

  const toFocus = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (toFocus.current !== active || active === undefined) return;
    toFocus.current = undefined;
    scroller.current?.querySelector<HTMLElement>(selectorOf(active))?.focus({ preventScroll: true });
  }, [active, scroller]);

  // A link on another page is gone, and the focus with it. The keyboard goes on at the message that it led to.
  const linkId = focus?.why === 'link' ? focus.requestId : undefined;
  useLayoutEffect(() => {
    if (linkId === undefined || !isLinkGone()) return;
    scroller.current?.focus({ preventScroll: true });
    setActive(latest.current.focus?.id);
  }, [linkId, scroller]);

  useLayoutEffect(() => {
    const index = latest.current.rows.findIndex(({ key }) => key === shown);
    if (index === -1) return;
    setActive(shown);
    scrollTo(index);
  }, [shown, scrollTo]);

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, target, altKey, ctrlKey, metaKey } = event;
    if (altKey || ctrlKey || metaKey || !isOnMessage(target)) return;
    const step = { ArrowUp: -1, ArrowDown: 1, ...(areOn && SINGLE) }[key];
    if (step === undefined) return;
    let index = rows.findIndex(({ key }) => key === activeKey) + step;
    while (rows[index] !== undefined && rows[index]?.kind !== 'message') index += step;
    const row = rows[index];
    if (row === undefined) return;
    event.preventDefault();
    toFocus.current = row.key;
    setActive(row.key);
    scrollTo(index);
  };

  return (
    <div
      ref={scroller}
      className={styles.scroller}
      role="log"
      // "Skip to messages" and links to messages lead here.
      tabIndex={-1}
      aria-label={label}
      aria-live="off"
      aria-busy={hasOlder && rows.length === 0}
      onScroll={checkVisible}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setActive(keyOf(target) ?? activeKey)}
    >
      {few !== 'top' && <div className={styles.push} />}
      <div ref={sizer} className={styles.sizer} style={{ height: virtual.getTotalSize() }}>
        {hasOlder && <div className={styles.older}>{t('app.loading')}</div>}
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          const isFlashing = row.key === focus?.id && (focus.why === 'link' || focus.why === 'date');
          return (
            <div
              key={key}
              ref={measure}
              data-index={index}
              className={isFlashing ? `${styles.row} ${styles.flash}` : styles.row}
              data-fades={isFlashing || undefined}
              style={{ top: start }}
            >
              {children(row, row.key === activeKey)}
            </div>
          );
        })}
        {hasNewer && <div className={styles.newer}>{t('app.loading')}</div>}
      </div>
    </div>
  );
}

/** Whether the focus is in the list, or in something that may have been opened from it and gives the focus back. */
const isUsed = (list: Element | null): boolean => {
  const focused = document.activeElement;
  if (focused === null || focused === list) return false;
  return list?.contains(focused) === true || focused.closest(OPENED) !== null;
};

/**
 * Whether the focus is lost because the viewer has followed a link, not because the page was just loaded. A link to a
 * reply first leads to the timeline and then to the thread.
 */
const isLinkGone = (): boolean =>
  isFocusLost()
    ? performance.getEntriesByType('navigation')[0]?.name !== location.href
    : document.activeElement?.getAttribute('role') === 'log';

const OPENED = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** The messages that are being edited. If their rows were removed, the forms would close. */
const editedIn = (list: Element | null): readonly string[] =>
  [...(list?.querySelectorAll('[data-editing]') ?? [])].flatMap((form) => keyOf(form) ?? []);

const selectorOf = (key: string) => `[data-message="${CSS.escape(key)}"]`;

const isOnMessage = (target: EventTarget) =>
  target instanceof HTMLElement && target.matches('[data-message]');

const keyOf = (target: EventTarget) =>
  target instanceof HTMLElement ? target.closest<HTMLElement>('[data-message]')?.dataset.message : undefined;
