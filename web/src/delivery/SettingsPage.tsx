import { useCallback, useEffect, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import { DeliverySettingsDocument, type DeliverySettingsQuery } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BackLink } from '../shell/BackLink.tsx';
import { BusyButton } from '../ui/BusyButton.tsx';
import pane from '../ui/pane.module.css';
import ui from '../ui/ui.module.css';
import { Devices } from './Devices.tsx';
import { Pause } from './Pause.tsx';
import { Recent } from './Recent.tsx';
import { RoomChoices } from './RoomChoices.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { SETTINGS_KEY } from './saver.ts';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

/** What reaches the viewer outside the page: in which browsers, when and how. */
export default function SettingsPage() {
  const { t, problem } = useI18n();
  const texts = useDeliveryTexts();
  const { api, serialize } = useSession();
  const [data, setData] = useState<DeliverySettingsQuery>();
  const [error, setError] = useState<ApiError>();
  const [isReading, setIsReading] = useState(false);

  /** Ends the last read. It stays aborted after the page is closed: a change that fails later must not begin another. */
  const last = useRef<AbortController>(undefined);
  /** Reads until it succeeds, and ends the read before. Resolves after the first attempt. */
  const read = useCallback(async (): Promise<void> => {
    if (last.current?.signal.aborted === true) return;
    last.current?.abort();
    const reading = new AbortController();
    last.current = reading;
    const { signal } = reading;
    const once = async () => {
      setIsReading(true);
      try {
        return await serialize(SETTINGS_KEY, () => api.queryUncached(DeliverySettingsDocument, {}));
      } finally {
        if (!signal.aborted) setIsReading(false);
      }
    };
    await new Promise<void>((resolve) => {
      const fail = (failure: ApiError) => {
        setError(failure);
        resolve();
      };
      withRetry(api.connection.backoff, once, { signal, onFailure: fail })
        .then((read) => {
          if (read === undefined) return;
          setData(read);
          setError(undefined);
        })
        .catch((thrown: unknown) => fail(asApiError(thrown)))
        .finally(resolve);
    });
  }, [api, serialize]);
  useEffect(() => {
    last.current = undefined;
    void read();
    return () => last.current?.abort();
  }, [read]);

  const change = useCallback(
    (settings: DeliverySettingsQuery['viewer']['deliverySettings']) =>
      setData((before) => before && { ...before, viewer: { ...before.viewer, deliverySettings: settings } }),
    [],
  );

  return (
    <main id="main" className={pane.pane}>
      <header className={pane.head}>
        <BackLink />
        <div className={styles.title}>
          <h1>{t('delivery.title')}</h1>
          <p>{texts.hint}</p>
        </div>
      </header>
      <div className={styles.page}>
        {error !== undefined && (
          <div className={styles.section} role="alert">
            <p className={ui.error}>{problem(error)}</p>
            <BusyButton className={ui.quiet} isBusy={isReading} onClick={() => void read()}>
              {t('app.retry')}
            </BusyButton>
          </div>
        )}
        {data === undefined && error === undefined && (
          <p className={ui.soft} role="status">
            {t('app.loading')}
          </p>
        )}
        {data !== undefined && (
          <>
            <Devices
              serverKey={data.webPushPublicKey}
              devices={data.viewer.pushSubscriptions}
              onChanged={read}
            />
            <Pause until={data.viewer.deliverySettings.pausedUntil} onChanged={change} />
            <SettingsForm
              settings={data.viewer.deliverySettings}
              onSaved={change}
              onFailure={() => void read()}
            />
            <RoomChoices />
            <Recent />
          </>
        )}
      </div>
    </main>
  );
}
