import { useState } from 'react';
import { type DeliverySettingsPartsFragment, PauseDeliveriesDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useAttempt } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

export interface PauseProps {
  readonly until: string | null;
  readonly onChanged: (settings: DeliverySettingsPartsFragment) => void;
}

const HOUR_MS = 3_600_000;
const MORNING = 8;

const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS);

function tomorrowMorning(): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING);
}

const CHOICES: readonly (readonly [label: 'pauseHour' | 'pauseTomorrow' | 'pauseWeek', until: () => Date])[] =
  [
    ['pauseHour', () => inHours(1)],
    ['pauseTomorrow', tomorrowMorning],
    ['pauseWeek', () => inHours(7 * 24)],
  ];

/** Delivers nothing for a while. */
export function Pause({ until, onChanged }: PauseProps) {
  const { dateTime } = useI18n();
  const texts = useDeliveryTexts();
  const { api } = useSession();
  const attempt = useAttempt();
  const [isBusy, setIsBusy] = useState(false);

  const pause = async (end: Date | null) => {
    setIsBusy(true);
    await attempt(async () => {
      const { pauseDeliveries } = await api.mutateUncached(PauseDeliveriesDocument, {
        until: end?.toISOString() ?? null,
      });
      onChanged(pauseDeliveries.settings);
    });
    setIsBusy(false);
  };

  return (
    <section className={styles.section} aria-labelledby="delivery-pause">
      <h2 id="delivery-pause">{texts.pause}</h2>
      {until !== null ? (
        <p className={styles.line}>
          <span role="status">{texts.pausedUntil(dateTime(until))}</span>
          <button type="button" className={ui.quiet} disabled={isBusy} onClick={() => void pause(null)}>
            {texts.pauseEnd}
          </button>
        </p>
      ) : (
        <>
          <p className={ui.soft}>{texts.pauseHint}</p>
          <div className={styles.choices}>
            {CHOICES.map(([label, end]) => (
              <button
                key={label}
                type="button"
                className={ui.quiet}
                disabled={isBusy}
                onClick={() => void pause(end())}
              >
                {texts[label]}
              </button>
            ))}
          </div>
        </>
      )}
    </section>
  );
}
