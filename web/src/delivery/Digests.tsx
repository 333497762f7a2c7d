import { useRef, useState } from 'react';
import {
  type DeliverySettingsPartsFragment,
  type EmailDigest,
  TestDeliveryDocument,
  UpdateDeliverySettingsDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { SETTINGS_KEY } from './saver.ts';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

export interface DigestsProps {
  /** As they are saved. */
  readonly settings: Readonly<DeliverySettingsPartsFragment>;
  /** What is chosen, saved or not. */
  readonly digest: EmailDigest;
  readonly onChange: (digest: EmailDigest) => void;
  readonly onSaved: (settings: DeliverySettingsPartsFragment) => void;
}

const DIGESTS: readonly EmailDigest[] = ['NEVER', 'MINUTES_15', 'HOURLY', 'DAILY'];

/** How often what was not read is mailed, and where to. */
export function Digests({ settings, digest, onChange, onSaved }: DigestsProps) {
  const texts = useDeliveryTexts();
  return (
    <section className={styles.section} aria-labelledby="delivery-email">
      <h2 id="delivery-email">{texts.email}</h2>
      <p className={ui.soft} id="delivery-email-hint">
        {texts.digestHint}
      </p>
      <label className={ui.field}>
        <span>{texts.digest}</span>
        <select
          className={ui.input}
          aria-describedby="delivery-email-hint"
          value={digest}
          onChange={({ target }) => {
            const chosen = DIGESTS.find((one) => one === target.value);
            if (chosen !== undefined) onChange(chosen);
          }}
        >
          {DIGESTS.map((one) => (
            <option key={one} value={one}>
              {texts.digests[one]}
            </option>
          ))}
        </select>
      </label>
      <Address settings={settings} digest={digest} onSaved={onSaved} />
    </section>
  );
}

/** The address that mails go to, or why there are none. The server takes the address from the token of the request. */
function Address({ settings, digest, onSaved }: Omit<DigestsProps, 'onChange'>) {
  const { dateTime } = useI18n();
  const texts = useDeliveryTexts();
  const { api, serialize } = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const { email, emailDigest, emailRefusedAt } = settings;
  /** A request waits for those before it, and must not undo what they have saved. */
  const latest = useRef(digest);
  latest.current = digest;

  const press = (action: () => Promise<void>) => async () => {
    setIsBusy(true);
    await attempt(action);
    setIsBusy(false);
  };
  const test = press(async () => {
    await api.mutateUncached(TestDeliveryDocument, { channel: 'EMAIL' });
    toast(texts.mailTestSent(email ?? ''));
  });
  const look = press(async () => {
    const { updateDeliverySettings } = await serialize(SETTINGS_KEY, () =>
      api.mutateUncached(UpdateDeliverySettingsDocument, { input: { emailDigest: latest.current } }),
    );
    if (updateDeliverySettings.settings.email === null) toast(texts.stillNoAddress);
    onSaved(updateDeliverySettings.settings);
  });

  if (emailRefusedAt !== null) return <p role="status">{texts.refused(dateTime(emailRefusedAt))}</p>;
  if (emailDigest === 'NEVER' || digest === 'NEVER') return null;
  return (
    <p className={styles.line}>
      <span role="status">{email === null ? texts.noAddress : texts.sentTo(email)}</span>
      <BusyButton className={ui.quiet} isBusy={isBusy} onClick={email === null ? look : test}>
        {email === null ? texts.useAddress : texts.test}
      </BusyButton>
    </p>
  );
}
