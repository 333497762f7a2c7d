import { type RefObject, useLayoutEffect, useState } from 'react';
import { createStore, type Store, useStore } from '../state/store.ts';
import { isFocusLost } from '../ui/isFocusLost.ts';
import {
  type Anchor,
  type Block,
  blockAt,
  type Heights,
  isAtEdge,
  isJump,
  jumpedTo,
  keptAnchor,
  missing,
  type Screen,
} from './placing.ts';
import type { Rows } from './rowStore.ts';

/** The height of rows before any was measured, in pixels, and the number of measured rows that count as much. */
const ROW = 110;
const WEIGHT = 20;
/** The most rows whose height is remembered. */
const MEASURED_MAX = 4_000;

/** Without the event `scrollend`: how long the scroll bar does not move when it rests, in milliseconds. */
const RESTS_MS = 150;

export interface Parts {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The list, with an element for each row that is rendered. Its `data-key` is the row's. */
  readonly list: RefObject<HTMLElement | null>;
  /** What gets the focus instead of a row that had it and is gone. Null: the list. */
  readonly onFocusLost: (row: HTMLElement) => HTMLElement | null;
}

type Keyed = Rows<{ readonly key: string }>;

/** The rows near the screen, and where they are. Rows on the screen stay in place when others come, go or change. */
export function usePlaced(rows: Keyed, { scroller, list, onFocusLost }: Parts): Block {
  const [placed] = useState(createPlaced);
  const block = useStore(placed);
  useLayoutEffect(() => {
    const [ofScroller, ofList] = [scroller.current, list.current];
    if (ofScroller === null || ofList === null) return undefined;
    return placed.attach(ofScroller, ofList, onFocusLost);
  }, [placed, scroller, list, onFocusLost]);
  useLayoutEffect(() => placed.setRows(rows), [placed, rows]);
  // After each render, before it is painted.
  useLayoutEffect(placed.rendered);
  return block;
}

interface Placed extends Pick<Store<Block>, 'get' | 'subscribe'> {
  attach(scroller: HTMLElement, list: HTMLElement, onFocusLost: Parts['onFocusLost']): () => void;
  setRows(rows: Keyed): void;
  /** To be called when the current rows are in the document. */
  rendered(): void;
}

const START: Anchor = { index: 0, share: 0, y: 0 };
const EMPTY: Block = { first: 0, last: -1, top: 0, height: 0, anchor: START };

function createPlaced(): Placed {
  const hasScrollEnd = 'onscrollend' in window;
  const state = createStore(EMPTY);
  const measured = new Map<string, number>();
  let rows: Keyed | undefined;
  let scroller: HTMLElement | undefined;
  let list: HTMLElement | undefined;
  let onFocusLost: Parts['onFocusLost'] = () => null;
  let anchor = START;
  let screen: Screen = { top: 0, height: 0 };
  let [sum, count] = [WEIGHT * ROW, WEIGHT];
  /** The height of the list when the user began to scroll. */
  let started: number | undefined;
  /** The same, once the user has jumped. The browser may still be on the way. */
  let jumping: number | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  /** By how much the scroll bar is moved, once the list has been. */
  let moving = 0;
  /** What had the focus last, in a row. */
  let focused: Element | undefined;

  const heights: Heights = {
    get count() {
      return rows?.length ?? 0;
    },
    get usual() {
      return sum / count;
    },
    of: (index) => measured.get(rows?.at(index)?.key ?? '') ?? heights.usual,
  };

  /** Whether the rows are somewhere else now. */
  function place(): boolean {
    if (screen.height === 0) return false;
    const next = heights.count === 0 ? EMPTY : blockAt(anchor, screen, heights, jumping);
    const now = state.get();
    const isSame = (['first', 'last', 'top', 'height'] as const).every((name) => next[name] === now[name]);
    if (!isSame) state.set(next);
    return !isSame;
  }

  /** Places rows by what is on the screen now. Scrolling does not, as long as the same rows are rendered. */
  function anchorAtScreen(): void {
    if (heights.count > 0) ({ anchor } = blockAt(anchor, screen, heights));
  }

  function move(isResting: boolean): void {
    // To move the scroll bar would end the jump.
    if (jumping !== undefined) return;
    const by = missing({ block: state.get(), screen, isResting }, heights);
    if (Math.abs(by) < 1) return;
    anchor = { ...anchor, y: anchor.y + by };
    screen = { ...screen, top: screen.top + by };
    moving += by;
    place();
  }

  /** Whether a row has another height than expected. */
  function measure(): boolean {
    let isNew = false;
    for (const element of list?.querySelectorAll<HTMLElement>(':scope > [data-key]') ?? []) {
      const { key: of } = element.dataset;
      const { height } = element.getBoundingClientRect();
      if (of === undefined || height === 0 || measured.get(of) === height) continue;
      if (!measured.has(of)) [sum, count] = [sum + height, count + 1];
      measured.set(of, height);
      isNew = true;
    }
    return isNew;
  }

  /** If the row with the focus is not rendered any more, the keyboard goes on near it, or scrolls the list. */
  function keepFocus(): void {
    if (focused === undefined || focused.isConnected) return;
    const row = focused.closest<HTMLElement>('[data-key]');
    focused = undefined;
    if (!isFocusLost()) return;
    const next = row === null ? null : onFocusLost(row);
    if (next === null) scroller?.focus({ preventScroll: true });
    else next.focus();
  }

  function onFocus({ target }: FocusEvent): void {
    if (target instanceof Element) focused = target;
  }

  function rendered(): void {
    if (scroller === undefined) return;
    keepFocus();
    if (moving !== 0) {
      scroller.scrollTop += moving;
      moving = 0;
      screen = { ...screen, top: scroller.scrollTop };
    }
    // Then this is called again.
    if (measure() && place()) return;
    anchorAtScreen();
    move(false);
  }

  function onScroll(): void {
    const top = Math.max(0, scroller?.scrollTop ?? 0);
    const from = screen.top;
    if (!hasScrollEnd) {
      clearTimeout(resting);
      resting = setTimeout(onRest, RESTS_MS);
    }
    if (top === from) return;
    screen = { ...screen, top };
    started ??= state.get().height;
    if (isJump(from, screen)) jumping ??= started;
    // The last steps of a jump may be small.
    if (jumping !== undefined && (isJump(from, screen) || isAtEdge(screen, jumping)))
      anchor = jumpedTo(screen, jumping, heights);
    place();
  }

  function onRest(): void {
    // Browsers may say that it rests before they say where.
    onScroll();
    started = undefined;
    if (jumping !== undefined) {
      jumping = undefined;
      place();
    }
    move(true);
  }

  return {
    get: state.get,
    subscribe: state.subscribe,
    rendered,
    attach(ofScroller, ofList, ofFocusLost) {
      [scroller, list, onFocusLost] = [ofScroller, ofList, ofFocusLost];
      const observer = new ResizeObserver(() => {
        if (jumping === undefined) anchorAtScreen();
        screen = { ...screen, height: ofScroller.clientHeight };
        measure();
        place();
      });
      for (const element of [scroller, list]) observer.observe(element);
      screen = { top: scroller.scrollTop, height: scroller.clientHeight };
      scroller.addEventListener('scroll', onScroll, { passive: true });
      scroller.addEventListener('scrollend', onRest);
      list.addEventListener('focusin', onFocus);
      place();
      return () => {
        clearTimeout(resting);
        observer.disconnect();
        ofScroller.removeEventListener('scroll', onScroll);
        ofScroller.removeEventListener('scrollend', onRest);
        ofList.removeEventListener('focusin', onFocus);
      };
    },
    setRows(next) {
      if (next.length !== rows?.length) started = jumping;
      if (jumping === undefined) anchorAtScreen();
      const before = rows;
      const find = (index: number) => {
        const key = before?.at(index)?.key;
        if (key === undefined) return -1;
        return next.at(index)?.key === key ? index : next.find(key);
      };
      anchor = screen.top <= 0 ? START : keptAnchor(anchor, state.get().last, heights, find);
      rows = next;
      if (measured.size > MEASURED_MAX) forget();
      place();
    },
  };

  function forget(): void {
    const { first, last } = state.get();
    const near = new Set(rows?.slice(first, last + 1).map((row) => row.key));
    for (const of of measured.keys()) if (!near.has(of)) measured.delete(of);
  }
}
