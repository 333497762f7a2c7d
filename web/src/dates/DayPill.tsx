import { CalendarDays } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { useDateTexts } from './texts.ts';

const JumpToDate = lazyWithRetry(() => import('./JumpToDate.tsx'));

export interface DayPillProps {
  readonly className: string | undefined;
  /** When the first message on the screen was sent. Undefined: the line of its day is on the screen. */
  readonly at: string | undefined;
}

/** The day of the first message on the screen, while its line is further up. It leads to other days. */
export default function DayPill({ className, at }: DayPillProps) {
  const { day } = useI18n();
  const texts = useDateTexts();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {at !== undefined && (
        <div className={className}>
          <button type="button" aria-label={texts.from(day(at))} onClick={() => setIsOpen(true)}>
            <CalendarDays aria-hidden="true" /> {day(at)}
          </button>
        </div>
      )}
      <Suspense>{isOpen && <JumpToDate onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}
