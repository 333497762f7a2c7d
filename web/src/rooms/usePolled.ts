import { useEffect } from 'react';

/** Only members receive a room's events, so the position on the waitlist is read at this interval. */
const POLL_MS = 10_000;

/** Calls `read` every 10 s while the page is visible and `isOn`. */
export function usePolled(read: () => unknown, isOn = true): void {
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (!document.hidden) read();
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [read, isOn]);
}
