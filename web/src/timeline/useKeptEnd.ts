import { type RefObject, useEffect, useRef, useState } from 'react';
import { onLayoutChange } from '../ui/layoutChange.ts';

export interface KeptEndOptions {
  readonly scroller: RefObject<HTMLElement | null>;
  /** If later messages are not loaded, the end of the list is not the newest message. */
  readonly isNewestLoaded: boolean;
  /** A distance from the end that counts as the end, in pixels. */
  readonly near: number;
}

export interface KeptEnd {
  /** Whether the reader is at the end, and stays there. */
  isOn(): boolean;
  /** Looks where the reader is. To be called before the content changes: its change must not look like scrolling. */
  observe(): void;
  /** Runs what changes the scroll position, which was not the reader then. */
  move(scroll: () => void): void;
  /** Scrolls to the end again if the content or the height of the list has changed. */
  keep(): void;
  /** Scrolls to the end, and stays there. */
  start(): void;
  /** Before the list scrolls to a row. */
  stop(): void;
  /** After scrolling: stays at the end if the reader is there. */
  settle(): void;
}

interface Place {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
  readonly clientWidth: number;
}

/**
 * Keeps a reader at the end of a list there. Only their own scrolling decides if they are there, never the distance to
 * the end after a change: a long message, a composer that grows, or a row that becomes higher moves the end away from a
 * reader who has done nothing. The reader has scrolled if the position changes while all sizes stay the same.
 */
export function useKeptEnd(options: KeptEndOptions): KeptEnd {
  const latest = useRef(options);
  latest.current = options;
  const [keptEnd] = useState(() => createKeptEnd(() => latest.current));
  useEffect(() => {
    const element = latest.current.scroller.current;
    element?.addEventListener('scroll', keptEnd.scrolled, { passive: true });
    element?.addEventListener('scrollend', keptEnd.settle);
    const stopListening = onLayoutChange(keptEnd.scrolled);
    // Browsers call it before the listeners of scrolling: of a window that is as high as before, nothing else is known.
    addEventListener('resize', keptEnd.keep);
    return () => {
      stopListening();
      removeEventListener('resize', keptEnd.keep);
      element?.removeEventListener('scroll', keptEnd.scrolled);
      element?.removeEventListener('scrollend', keptEnd.settle);
    };
  }, [keptEnd]);
  return keptEnd;
}

/** The width as well: a window that becomes higher and lower again between two looks has moved the position. */
const SIZES = ['scrollHeight', 'clientHeight', 'clientWidth'] as const;

function createKeptEnd(latest: () => KeptEndOptions): KeptEnd & { scrolled(): void } {
  let isOn = false;
  let last: Place | undefined;

  const elementOf = () => latest().scroller.current;
  const isNear = ({ scrollTop, scrollHeight, clientHeight }: Place) =>
    latest().isNewestLoaded && scrollHeight - clientHeight - scrollTop < latest().near;

  function look(): void {
    const before = last;
    const now = remember();
    if (before === undefined || now === undefined) return;
    if (SIZES.some((size) => before[size] !== now[size])) return;
    // Upwards, the first pixel leaves the end. Otherwise someone who scrolls slowly would be brought back each time.
    if (now.scrollTop < before.scrollTop) isOn = false;
    if (now.scrollTop > before.scrollTop) isOn = isNear(now);
  }

  function remember(): Place | undefined {
    const element = elementOf();
    if (element === null) return undefined;
    const { scrollTop, scrollHeight, clientHeight, clientWidth } = element;
    last = { scrollTop, scrollHeight, clientHeight, clientWidth };
    return last;
  }

  function keep(): void {
    const element = elementOf();
    if (element === null) return;
    if (isOn && !latest().isNewestLoaded) isOn = false;
    if (isOn) element.scrollTop = element.scrollHeight;
    remember();
  }

  return {
    isOn: () => isOn,
    observe: look,
    keep,
    move(scroll) {
      look();
      scroll();
      remember();
    },
    scrolled() {
      look();
      if (isOn) keep();
    },
    settle() {
      look();
      const element = elementOf();
      if (element !== null && isNear(element)) isOn = true;
    },
    start() {
      isOn = true;
      keep();
    },
    stop() {
      isOn = false;
    },
  };
}
