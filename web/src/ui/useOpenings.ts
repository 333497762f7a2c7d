import { useState } from 'react';

/**
 * How often something was opened: a key for what is in it. Without one, something that is opened again while it still
 * fades out has what it had before.
 */
export function useOpenings(isOpen: boolean): number {
  const [last, setLast] = useState({ isOpen, openings: 0 });
  if (last.isOpen === isOpen) return last.openings;
  const openings = last.openings + (isOpen ? 1 : 0);
  setLast({ isOpen, openings });
  return openings;
}
