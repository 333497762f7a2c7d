import type { DeliveryChannel, DeliverySettingsPartsFragment } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { Switch } from '../ui/Switch.tsx';
import ui from '../ui/ui.module.css';
import { durationIn, durationsWith, unitOf } from './durations.ts';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

type KindSetting = Readonly<DeliverySettingsPartsFragment['kinds'][number]>;

export interface KindRowProps {
  readonly setting: KindSetting;
  readonly onChange: (changed: KindSetting) => void;
}

const CHANNELS: readonly DeliveryChannel[] = ['WEB_PUSH', 'EMAIL', 'WEBHOOK'];

/** One kind: whether it is delivered, and behind a disclosure when and how. */
export function KindRow({ setting, onChange }: KindRowProps) {
  const { language } = useI18n();
  const texts = useDeliveryTexts();
  const { kind, mode, delaySeconds, windowSeconds, channels } = setting;
  const name = texts.kind[kind];
  const wait = durationIn(language, delaySeconds);
  const window = durationIn(language, windowSeconds);
  return (
    <div className={styles.kind}>
      <Switch
        label={name}
        isOn={mode === 'ON'}
        onChange={(isOn) => onChange({ ...setting, mode: isOn ? 'ON' : 'OFF' })}
      />
      {mode === 'ON' && (
        <details>
          <summary>
            <span className="visually-hidden">{name}: </span>
            {delaySeconds === 0 ? texts.atOnce : texts.after(wait)}
            {windowSeconds > 0 && texts.atMostOncePer(window, unitOf(windowSeconds))}
          </summary>
          <div className={styles.times}>
            <Duration
              label={texts.wait}
              seconds={delaySeconds}
              onChange={(seconds) => onChange({ ...setting, delaySeconds: seconds })}
            />
            <Duration
              label={texts.window}
              seconds={windowSeconds}
              onChange={(seconds) => onChange({ ...setting, windowSeconds: seconds })}
            />
          </div>
          <fieldset className={styles.channels}>
            <legend>{texts.channels}</legend>
            {CHANNELS.map((channel) => (
              <label key={channel}>
                <input
                  type="checkbox"
                  checked={channels.includes(channel)}
                  onChange={({ target }) =>
                    onChange({
                      ...setting,
                      channels: CHANNELS.filter((one) =>
                        one === channel ? target.checked : channels.includes(one),
                      ),
                    })
                  }
                />
                {texts.channel[channel]}
              </label>
            ))}
          </fieldset>
        </details>
      )}
    </div>
  );
}

interface DurationProps {
  readonly label: string;
  readonly seconds: number;
  readonly onChange: (seconds: number) => void;
}

function Duration({ label, seconds, onChange }: DurationProps) {
  const { language } = useI18n();
  const texts = useDeliveryTexts();
  return (
    <label className={ui.field}>
      <span>{label}</span>
      <select className={ui.input} value={seconds} onChange={({ target }) => onChange(Number(target.value))}>
        {durationsWith(seconds).map((one) => (
          <option key={one} value={one}>
            {one === 0 ? texts.noTime : durationIn(language, one)}
          </option>
        ))}
      </select>
    </label>
  );
}
