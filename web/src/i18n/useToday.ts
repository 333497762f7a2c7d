import { useEffect, useState } from 'react';

/** The start of the current local day, in milliseconds since 1970. Updates at midnight while the page stays open. */
export function useToday(): number {
  const [today, setToday] = useState(() => startOfDay(new Date()));
  useEffect(() => {
    const date = new Date(today);
    const tomorrow = new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1);
    const timer = setTimeout(() => setToday(startOfDay(new Date())), tomorrow.getTime() - Date.now());
    return () => clearTimeout(timer);
  }, [today]);
  return today;
}

/** Milliseconds since 1970. */
export const startOfDay = (date: Date): number =>
  new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
