import { useState } from 'react';
import { DateDialog, daysAgo } from '../dates/DateDialog.tsx';
import { localDay } from '../dates/days.ts';
import { useDateTexts } from '../dates/texts.ts';

export interface JumpInListProps {
  /** As `2026-01-05`. */
  readonly onDay: (day: string) => void;
  readonly onClose: () => void;
}

/** The dialog that lets a list of saved messages begin with a day. */
export default function JumpInList({ onDay, onClose }: JumpInListProps) {
  const texts = useDateTexts();
  const [shortcuts] = useState(() => [
    [texts.weekAgo, daysAgo({ days: 7 })] as const,
    [texts.monthAgo, daysAgo({ months: 1 })] as const,
    [texts.yearAgo, daysAgo({ years: 1 })] as const,
  ]);
  return <DateDialog shortcuts={shortcuts} onClose={onClose} onJump={(from) => onDay(localDay(from))} />;
}
