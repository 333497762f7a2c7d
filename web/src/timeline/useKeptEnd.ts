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
}

/**
 * Keeps a reader at the end of a list there. Only their own scrolling decides if they are there, never the distance to
 * the end after a change: a long message, a composer that grows, or a row that becomes higher moves the end away from a
 * reader who has done nothing. The reader has scrolled if the position changes while all heights stay the same.
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
    return () => {
      stopListening();
      element?.removeEventListener('scroll', keptEnd.scrolled);
      element?.removeEventListener('scrollend', keptEnd.settle);
    };
  }, [keptEnd]);
  return keptEnd;
}

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
    if (before.scrollHeight !== now.scrollHeight || before.clientHeight !== now.clientHeight) return;
    // Upwards, the first pixel leaves the end. Otherwise someone who scrolls slowly would be brought back each time.
    if (now.scrollTop < before.scrollTop) isOn = false;
    if (now.scrollTop > before.scrollTop) isOn = isNear(now);
  }

  function remember(): Place | undefined {
    const element = elementOf();
    if (element === null) return undefined;
    const { scrollTop, scrollHeight, clientHeight } = element;
    last = { scrollTop, scrollHeight, clientHeight };
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
