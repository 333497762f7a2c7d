import { useEffect, useRef, useState } from 'react';
import { type DeliverySettingsPartsFragment, PauseDeliveriesDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { tomorrowAt } from '../scheduled/times.ts';
import { useZone } from '../scheduled/useZone.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { isFocusLost } from '../ui/isFocusLost.ts';
import { useAttempt } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { SETTINGS_KEY } from './saver.ts';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

export interface PauseProps {
  readonly until: string | null;
  readonly onChanged: (settings: DeliverySettingsPartsFragment) => void;
}

const HOUR_MS = 3_600_000;
const MORNING = '08:00';

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

type Choice = readonly [label: 'pauseHour' | 'pauseTomorrow' | 'pauseWeek', until: (zone: string) => Date];

const CHOICES: readonly Choice[] = [
  ['pauseHour', () => inHours(1)],
  ['pauseTomorrow', (zone) => tomorrowAt(MORNING, zone)],
  ['pauseWeek', () => inHours(7 * 24)],
];

/** Delivers nothing for a while. Times are by the clock of the viewer's profile. */
export function Pause({ until, onChanged }: PauseProps) {
  const { dateTimeIn } = useI18n();
  const { zone } = useZone();
  const texts = useDeliveryTexts();
  const { api, serialize } = useSession();
  const attempt = useAttempt();
  const [isBusy, setIsBusy] = useState(false);
  const section = useRef<HTMLElement>(null);
  const pressed = useRef<Element>(null);
  const isPaused = until !== null;
  // The button that had the focus is replaced by the one that does the opposite.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the buttons change.
  useEffect(() => {
    if (pressed.current?.isConnected === false && isFocusLost())
      section.current?.querySelector('button')?.focus();
    pressed.current = null;
  }, [isPaused]);

  const pause = async (end: Date | null) => {
    setIsBusy(true);
    pressed.current = document.activeElement;
    await attempt(async () => {
      const until = end?.toISOString() ?? null;
      const { pauseDeliveries } = await serialize(SETTINGS_KEY, () =>
        api.mutateUncached(PauseDeliveriesDocument, { until }),
      );
      onChanged(pauseDeliveries.settings);
    });
    setIsBusy(false);
  };

  return (
    <section ref={section} className={styles.section} aria-labelledby="delivery-pause">
      <h2 id="delivery-pause">{texts.pause}</h2>
      {isPaused ? (
        <p className={styles.line}>
          <span role="status">{texts.pausedUntil(dateTimeIn(zone, until))}</span>
          <BusyButton className={ui.quiet} isBusy={isBusy} onClick={() => void pause(null)}>
            {texts.pauseEnd}
          </BusyButton>
        </p>
      ) : (
        <>
          <p className={ui.soft}>{texts.pauseHint}</p>
          <div className={styles.choices}>
            {CHOICES.map(([label, end]) => (
              <BusyButton
                key={label}
                className={ui.quiet}
                isBusy={isBusy}
                onClick={() => void pause(end(zone))}
              >
                {texts[label]}
              </BusyButton>
            ))}
          </div>
        </>
      )}
    </section>
  );
}
