import { Bookmark } from 'lucide-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react';
import { Link } from 'wouter';
import { useI18n } from '../i18n/i18n.ts';
import { savedPath } from '../shell/paths.ts';
import { useStore } from '../state/store.ts';
import { isFocusLost } from '../ui/isFocusLost.ts';
import look from '../ui/rows.module.css';
import ui from '../ui/ui.module.css';
import type { ListedRow, ListName } from './listed.ts';
import type { SavedList } from './lists.ts';
import { Row } from './Row.tsx';
import { SelectionBar } from './SelectionBar.tsx';
import styles from './saved.module.css';
import type { Saved } from './saves.ts';
import { useSavedTexts } from './texts.ts';
import { usePlaced } from './usePlaced.ts';
import { useSelection } from './useSelection.ts';

/** The next page is read while this many rows are left. */
const AHEAD = 150;
const NONE: readonly ListedRow[] = [];

export interface RowsProps {
  readonly name: ListName;
  readonly label: string;
  readonly list: SavedList;
  /** Whether the list is of a tag that was there when it was opened. */
  readonly isGone: boolean;
  /** Says with which day the list begins. Undefined: it has all days. */
  readonly firstDay: string | undefined;
  readonly onAllDays: () => void;
  /** Called when the counts may have changed. */
  readonly onChange: () => void;
}

/** A list that renders only the rows near the screen, and reads pages ahead. The arrow keys move between messages. */
export function Rows({ name, label, list, isGone, firstDay, onAllDays, onChange }: RowsProps) {
  const { t, problem } = useI18n();
  const texts = useSavedTexts();
  const { rows, isRead, hasMore, error } = useStore(list);
  const [nothing, nothingHint] = texts.nothing[isGone ? 'goneTag' : typeof name === 'object' ? 'tag' : name];
  const scroller = useRef<HTMLElement>(null);
  const { chosen, toggle, clear } = useSelection(rows);
  const selected = useMemo(() => (chosen.size === 0 ? NONE : rows.pick(chosen)), [rows, chosen]);
  const isSelecting = chosen.size > 0;
  const wasSelecting = useRef(false);
  // The bar is gone, with the button that had the focus.
  useLayoutEffect(() => {
    const isOver = wasSelecting.current && !isSelecting;
    wasSelecting.current = isSelecting;
    if (isOver && isFocusLost()) scroller.current?.focus({ preventScroll: true });
  }, [isSelecting]);
  const placed = useRef<HTMLUListElement>(null);
  /** The key of the row that the viewer has changed here last, or has begun to remove. */
  const changed = useRef<string>(undefined);
  const onFocusLost = useCallback(({ dataset: { key, index } }: HTMLElement) => {
    // If another device has removed it, a key that was meant for it must not remove another one.
    if (key === undefined || key !== changed.current) return null;
    const removeIn = (at: number) =>
      placed.current?.querySelector<HTMLElement>(`[data-index="${at}"] [data-remove]`);
    return removeIn(Number(index)) ?? removeIn(Number(index) - 1) ?? null;
  }, []);
  const { first, last, top, height } = usePlaced(rows, { scroller, list: placed, onFocusLost });
  useEffect(() => {
    if (error === undefined && hasMore && last >= rows.length - AHEAD) void list.more();
  }, [list, last, rows.length, hasMore, error]);

  useEffect(() => list.shows({ first, last }), [list, first, last]);

  /** Called before a removal begins: its event may arrive before its response. */
  const onPress = useCallback(({ target }: MouseEvent<HTMLElement>) => {
    const bin = target instanceof Element ? target.closest('[data-remove]') : null;
    const row = bin?.closest<HTMLElement>('[data-key]');
    if (row != null) changed.current = row.dataset.key;
  }, []);

  const change = useCallback(
    (key: string, saved: Saved | null) => {
      changed.current = key;
      list.change(key, saved);
      onChange();
    },
    [list, onChange],
  );

  return (
    <div className={styles.list}>
      {firstDay !== undefined && (
        <p className={styles.firstDay}>
          <span>{firstDay}</span>
          <button type="button" className={ui.quiet} onClick={onAllDays}>
            {texts.allDays}
          </button>
        </p>
      )}
      <SelectionBar list={list} selected={selected} onChange={onChange} onClear={clear} />
      <section
        ref={scroller}
        className={`${look.scroller} ${styles.scroller}`}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by the keyboard.
        tabIndex={0}
      >
        <div className={styles.whole} style={{ height: `${height}px` }}>
          <ul
            ref={placed}
            className={`plain ${styles.rows}`}
            style={{ top: `${top}px` }}
            onKeyDown={onKey}
            onClickCapture={onPress}
          >
            {rows.slice(first, last + 1).map((row, at) => (
              <li
                key={row.key}
                aria-setsize={hasMore ? -1 : rows.length}
                aria-posinset={first + at + 1}
                data-index={first + at}
                data-key={row.key}
              >
                <Row
                  row={row}
                  index={first + at}
                  isSelected={chosen.has(row.key)}
                  onChange={change}
                  onSelect={toggle}
                />
              </li>
            ))}
          </ul>
        </div>
        {error !== undefined ? (
          <div className={look.note} role="alert">
            <p className={ui.error}>{problem(error)}</p>
            <button type="button" className={ui.quiet} onClick={() => void list.more()}>
              {t('app.retry')}
            </button>
          </div>
        ) : !isRead ? (
          <p className={look.note}>{t('app.loading')}</p>
        ) : (
          rows.length === 0 &&
          !hasMore && (
            <div className={look.note}>
              <Bookmark aria-hidden="true" />
              <strong>{firstDay === undefined ? nothing : texts.nothingThere}</strong>
              {firstDay === undefined && <p className={ui.soft}>{nothingHint}</p>}
              {isGone && (
                <Link href={savedPath('all')} className={ui.quiet}>
                  {texts.toAll}
                </Link>
              )}
            </div>
          )
        )}
      </section>
    </div>
  );
}

/** The arrow keys move between the messages. */
function onKey(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || !(event.target instanceof Element)) return;
  const place = event.target.closest('[data-index]');
  const index = Number(place?.getAttribute('data-index')) + step;
  const next = event.currentTarget.querySelector<HTMLElement>(`[data-index="${index}"] a`);
  if (next === null) return;
  event.preventDefault();
  next.focus();
}
