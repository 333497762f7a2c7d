import type { DeliverySettingsPartsFragment, Weekday } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useZone } from '../scheduled/useZone.ts';
import { Switch } from '../ui/Switch.tsx';
import ui from '../ui/ui.module.css';
import { wrongWith } from './changes.ts';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

type Hours = NonNullable<Readonly<DeliverySettingsPartsFragment['quietHours']>>;

export interface QuietHoursProps {
  readonly hours: Hours | null;
  readonly onChange: (hours: Hours | null) => void;
}

const WEEKDAYS: readonly Weekday[] = [
  ...(['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY'] as const),
  ...(['FRIDAY', 'SATURDAY', 'SUNDAY'] as const),
];

/** The second of January 2023 was a Monday. */
const dateOf = (day: number) => new Date(2023, 0, 2 + day);

const FIRST_CHOICE = { from: '22:00', to: '07:00', days: [...WEEKDAYS] } as const;

/** Local times in which nothing is delivered. */
export function QuietHours({ hours, onChange }: QuietHoursProps) {
  const { language } = useI18n();
  const texts = useDeliveryTexts();
  const { zone } = useZone();
  const nameOf = new Intl.DateTimeFormat(language, { weekday: 'short' });
  const wrong = wrongWith(hours);
  const zones = hours === null ? [] : zonesWith(hours.timeZone);
  return (
    <section className={styles.section} aria-labelledby="delivery-quiet">
      <h2 id="delivery-quiet">{texts.quiet}</h2>
      <Switch
        label={texts.quietOn}
        hint={texts.quietHint}
        isOn={hours !== null}
        onChange={(isOn) => onChange(isOn ? { ...FIRST_CHOICE, days: [...WEEKDAYS], timeZone: zone } : null)}
      />
      {hours !== null && (
        <>
          <div className={styles.times}>
            <label className={ui.field}>
              <span>{texts.quietFrom}</span>
              <input
                className={ui.input}
                type="time"
                required
                value={hours.from}
                onChange={({ target }) => onChange({ ...hours, from: target.value })}
              />
            </label>
            <label className={ui.field}>
              <span>{texts.quietTo}</span>
              <input
                className={ui.input}
                type="time"
                required
                value={hours.to}
                onChange={({ target }) => onChange({ ...hours, to: target.value })}
              />
            </label>
            <label className={ui.field}>
              <span>{texts.zone}</span>
              <select
                className={ui.input}
                value={hours.timeZone}
                onChange={({ target }) => onChange({ ...hours, timeZone: target.value })}
              >
                {zones.map((zone) => (
                  <option key={zone}>{zone}</option>
                ))}
              </select>
            </label>
          </div>
          <fieldset className={styles.channels}>
            <legend>{texts.quietDays}</legend>
            {WEEKDAYS.map((day, i) => (
              <label key={day}>
                <input
                  type="checkbox"
                  checked={hours.days.includes(day)}
                  onChange={({ target }) =>
                    onChange({
                      ...hours,
                      days: WEEKDAYS.filter((one) =>
                        one === day ? target.checked : hours.days.includes(one),
                      ),
                    })
                  }
                />
                {nameOf.format(dateOf(i))}
              </label>
            ))}
          </fieldset>
          {wrong !== undefined && (
            <p className={ui.error} role="alert">
              {texts[wrong]}
            </p>
          )}
        </>
      )}
    </section>
  );
}

/** Another browser may know other names. */
const zonesWith = (zone: string): string[] =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone])].sort();
