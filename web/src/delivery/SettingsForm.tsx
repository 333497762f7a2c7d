import type { DeliverySettingsPartsFragment } from '../generated/graphql.ts';
import { Switch } from '../ui/Switch.tsx';
import ui from '../ui/ui.module.css';
import { Digests } from './Digests.tsx';
import { KindRow } from './KindRow.tsx';
import { QuietHours } from './QuietHours.tsx';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';
import { type SavedAtOnceProps, useSavedAtOnce } from './useSavedAtOnce.ts';

/** What is delivered, how, and when not. Each change is saved at once. */
export function SettingsForm(props: SavedAtOnceProps) {
  const { settings, onSaved } = props;
  const texts = useDeliveryTexts();
  const { shown, change } = useSavedAtOnce(props);
  const changeKind = (changed: DeliverySettingsPartsFragment['kinds'][number]) =>
    change({ kinds: shown.kinds.map((one) => (one.kind === changed.kind ? changed : one)) });
  return (
    <div className={styles.form}>
      <section className={styles.section} aria-labelledby="delivery-kinds">
        <h2 id="delivery-kinds">{texts.kinds}</h2>
        <p className={ui.soft}>{texts.kindsHint}</p>
        {shown.kinds.map((kind) => (
          <KindRow key={kind.kind} setting={kind} onChange={changeKind} />
        ))}
        <Switch
          label={texts.hideText}
          hint={texts.hideTextHint}
          isOn={shown.hideText}
          onChange={(hideText) => change({ hideText })}
        />
      </section>
      {settings.sendsEmail && (
        <Digests
          settings={settings}
          digest={shown.emailDigest}
          onChange={(emailDigest) => change({ emailDigest })}
          onSaved={onSaved}
        />
      )}
      <QuietHours hours={shown.quietHours} onChange={(quietHours) => change({ quietHours })} />
    </div>
  );
}
