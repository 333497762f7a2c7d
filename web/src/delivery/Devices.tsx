import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import {
  type PushDeviceFragment,
  RemovePushSubscriptionDocument,
  TestDeliveryDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import pane from '../ui/pane.module.css';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { canPush, turnOff, turnOn } from './device.ts';
import { keptDevice } from './keptDevice.ts';
import styles from './settings.module.css';

export interface DevicesProps {
  /** The server's public key; null if it does not send to browsers. */
  readonly serverKey: string | null;
  readonly devices: readonly Readonly<PushDeviceFragment>[];
  /** Reads them again. */
  readonly onChanged: () => Promise<void>;
}

/** The browsers that show deliveries: this one, which can be turned on here, and the others. */
export function Devices({ serverKey, devices, onChanged }: DevicesProps) {
  const { t } = useI18n();
  const { api, viewer } = useSession();
  const attempt = useAttempt();
  const toast = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const owner = { api, user: viewer.id };
  const kept = keptDevice(viewer.id);
  const isOn = devices.some(({ id }) => id === kept);

  const press = (action: () => Promise<void>) => async () => {
    setIsBusy(true);
    await attempt(action);
    setIsBusy(false);
  };
  const start = press(async () => {
    const permission = serverKey === null ? 'denied' : await turnOn(owner, serverKey);
    if (permission !== 'granted') return toast(t('delivery.notAllowed'));
    await onChanged();
  });
  const stop = press(async () => {
    await turnOff(owner);
    await onChanged();
  });
  const test = press(async () => {
    await api.mutateUncached(TestDeliveryDocument, {});
    toast(t('delivery.testSent'));
  });
  const remove = (id: string) =>
    press(async () => {
      await api.mutateUncached(RemovePushSubscriptionDocument, { id });
      await onChanged();
    });

  return (
    <section className={styles.section} aria-labelledby="delivery-devices">
      <h2 id="delivery-devices">{t('delivery.devices')}</h2>
      <ThisDevice canStart={serverKey !== null} {...{ isOn, isBusy, start, stop }} />
      {devices.length > 0 && (
        <>
          <ul className="plain">
            {devices.map((device) => (
              <li key={device.id} className={pane.person}>
                <MonitorSmartphone aria-hidden="true" className={styles.deviceIcon} />
                <span>
                  <strong dir="auto">{device.label}</strong>
                  <small>
                    <Used device={device} isThis={device.id === kept} />
                  </small>
                </span>
                {device.id !== kept && (
                  <button
                    type="button"
                    className={ui.quiet}
                    disabled={isBusy}
                    aria-label={t('delivery.removeNamed', { name: device.label })}
                    onClick={remove(device.id)}
                  >
                    {t('delivery.remove')}
                  </button>
                )}
              </li>
            ))}
          </ul>
          <div>
            <button type="button" className={ui.quiet} disabled={isBusy} onClick={test}>
              {t('delivery.test')}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

interface ThisDeviceProps {
  readonly isOn: boolean;
  readonly isBusy: boolean;
  /** Whether the server sends to browsers. */
  readonly canStart: boolean;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

function ThisDevice({ isOn, isBusy, canStart, start, stop }: ThisDeviceProps) {
  const { t } = useI18n();
  if (isOn) {
    return (
      <p className={styles.line}>
        <span role="status">{t('delivery.thisOn')}</span>
        <button type="button" className={ui.quiet} disabled={isBusy} onClick={stop}>
          {t('delivery.turnOff')}
        </button>
      </p>
    );
  }
  if (!canStart) return <p className={ui.soft}>{t('delivery.notSetUp')}</p>;
  if (!canPush()) return <p className={ui.soft}>{t('delivery.unsupported')}</p>;
  if (Notification.permission === 'denied') return <p className={ui.soft}>{t('delivery.blocked')}</p>;
  return (
    <p className={styles.line}>
      <span role="status">{t('delivery.thisOff')}</span>
      <button type="button" className={ui.button} disabled={isBusy} onClick={start}>
        {t('delivery.turnOn')}
      </button>
    </p>
  );
}

function Used({ device, isThis }: { readonly device: PushDeviceFragment; readonly isThis: boolean }) {
  const { t, ago } = useI18n();
  if (isThis) return t('delivery.thisDevice');
  return device.lastUsedAt === null
    ? t('delivery.addedAt', { time: ago(device.createdAt) })
    : t('delivery.usedAt', { time: ago(device.lastUsedAt) });
}
