import { type FormEvent, Suspense, useState } from 'react';
import { asApiError } from '../api/errors.ts';
import { ScheduleLaterDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { randomId } from '../state/randomId.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { FormFoot } from '../ui/FormFoot.tsx';
import { lazyWithRetry } from '../ui/lazyWithRetry.ts';
import { Modal } from '../ui/Modal.tsx';
import { useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { TimeField } from './TimeField.tsx';
import { useScheduledTexts } from './texts.ts';
import { earliest, inTwentyMinutes, localValue, timeOf, tomorrowMorning } from './times.ts';
import { useZone } from './useZone.ts';

const ScheduledList = lazyWithRetry(() => import('./ScheduledList.tsx'));

export interface SendLaterProps {
  readonly roomId: string;
  /** The message that is answered: in a thread its root, or a reply. */
  readonly replyTo: string | undefined;
  readonly body: string;
  readonly onScheduled: () => void;
  readonly onClose: () => void;
}

/** The dialog that schedules the message of the composer. */
export function SendLater({ roomId, replyTo, body, onScheduled, onClose }: SendLaterProps) {
  const { problem, dateTimeIn } = useI18n();
  const texts = useScheduledTexts();
  const { api, scheduledFailures, viewer } = useSession();
  const toast = useToast();
  const { zone, zoneHint } = useZone();
  const [at, setAt] = useState(() => localValue(tomorrowMorning(zone), zone));
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [showsAll, setShowsAll] = useState(false);
  const [soon] = useState(inTwentyMinutes);
  // The same for each attempt of this dialog: a repeated request schedules one message.
  const [key] = useState(() => randomId());

  async function schedule(time: Date) {
    setIsBusy(true);
    const sendAt = time.toISOString();
    const input = {
      roomId,
      body,
      sendAt,
      idempotencyKey: `${key}:${sendAt}`,
      ...(replyTo === undefined ? {} : { replyTo }),
    };
    try {
      await api.mutateUncached(ScheduleLaterDocument, { input });
    } catch (thrown) {
      setError(problem(asApiError(thrown)));
      return setIsBusy(false);
    }
    scheduledFailures.expect(sendAt);
    toast(texts.scheduled(dateTimeIn(viewer.timeZone, sendAt)));
    onScheduled();
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void schedule(timeOf(at, zone));
  };

  if (showsAll) {
    return (
      <Suspense>
        <ScheduledList onClose={onClose} />
      </Suspense>
    );
  }
  return (
    <Modal title={texts.later} open onClose={onClose}>
      <form className={ui.form} onSubmit={submit}>
        {body !== '' && (
          <>
            <div className={ui.dialogFoot}>
              <BusyButton className={ui.quiet} isBusy={isBusy} onClick={() => void schedule(soon)}>
                {texts.soon}
              </BusyButton>
              <BusyButton
                className={ui.quiet}
                isBusy={isBusy}
                onClick={() => void schedule(tomorrowMorning(zone))}
              >
                {texts.tomorrow}
              </BusyButton>
            </div>
            <TimeField
              label={texts.at}
              value={at}
              min={localValue(earliest(), zone)}
              zoneHint={zoneHint}
              onChange={(next) => {
                setAt(next);
                setError(undefined);
              }}
            />
          </>
        )}
        <button type="button" className={ui.quiet} onClick={() => setShowsAll(true)}>
          {texts.all}
        </button>
        {body !== '' && <FormFoot error={error} isBusy={isBusy} submit={texts.schedule} onCancel={onClose} />}
      </form>
    </Modal>
  );
}
