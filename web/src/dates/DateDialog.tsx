import { type FormEvent, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { FormFoot } from '../ui/FormFoot.tsx';
import { Modal } from '../ui/Modal.tsx';
import ui from '../ui/ui.module.css';
import { localDay, startOfLocalDay } from './days.ts';
import { useDateTexts } from './texts.ts';

export interface DateDialogProps {
  /** Names, and the days that they lead to. */
  readonly shortcuts: readonly (readonly [string, Date])[];
  /** `from`: the moment at which the day begins. Rejects with `ApiError`. */
  readonly onJump: (from: Date) => void | Promise<void>;
  readonly onClose: () => void;
}

/** The days of shortcuts: these many years, months and days ago, in the zone of the browser. */
export function daysAgo({ years = 0, months = 0, days = 0 }): Date {
  const today = new Date();
  return new Date(today.getFullYear() - years, today.getMonth() - months, today.getDate() - days);
}

/** The dialog that asks for a day. It closes when the day is shown. */
export function DateDialog({ shortcuts, onJump, onClose }: DateDialogProps) {
  const { problem } = useI18n();
  const texts = useDateTexts();
  const [today] = useState(() => new Date());
  const [day, setDay] = useState(() => localDay(today));
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);

  async function jump(from: Date) {
    setIsBusy(true);
    setError(undefined);
    try {
      await onJump(from);
      onClose();
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      setIsBusy(false);
    }
  }

  return (
    <Modal title={texts.title} open onClose={onClose}>
      <form
        className={ui.form}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void jump(startOfLocalDay(day));
        }}
      >
        <label className={ui.field}>
          <span>{texts.date}</span>
          <input
            className={ui.input}
            type="date"
            required
            min="1970-01-01"
            max={localDay(today)}
            value={day}
            onChange={({ target }) => setDay(target.value)}
          />
        </label>
        <div className={ui.dialogFoot}>
          {shortcuts.map(([text, from]) => (
            <BusyButton key={text} className={ui.quiet} isBusy={isBusy} onClick={() => void jump(from)}>
              {text}
            </BusyButton>
          ))}
        </div>
        <FormFoot error={error} isBusy={isBusy} onCancel={onClose} submit={texts.jump} />
      </form>
    </Modal>
  );
}
