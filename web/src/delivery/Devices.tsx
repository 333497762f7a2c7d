import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import {
  type PushDeviceFragment,
  RemovePushSubscriptionDocument,
  TestDeliveryDocument,
} from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import pane from '../ui/pane.module.css';
import { useAttempt, useToast } from '../ui/Toasts.tsx';
import ui from '../ui/ui.module.css';
import { canPush, turnOff, turnOn } from './device.ts';
import { keptDevice } from './keptDevice.ts';
import styles from './settings.module.css';
import { useDeliveryTexts } from './texts.ts';

export interface DevicesProps {
  /** The server's public key; null if it does not send to browsers. */
  readonly serverKey: string | null;
  readonly devices: readonly Readonly<PushDeviceFragment>[];
  /** Reads them again. Resolves after the first attempt, also if that failed. */
  readonly onChanged: () => Promise<void>;
}

/** The browsers that show deliveries: this one, which can be turned on here, and the others. */
export function Devices({ serverKey, devices, onChanged }: DevicesProps) {
  const texts = useDeliveryTexts();
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
    if (permission !== 'granted') return toast(texts.notAllowed);
    await onChanged();
  });
  const stop = press(async () => {
    await turnOff(owner);
    await onChanged();
  });
  const test = press(async () => {
    await api.mutateUncached(TestDeliveryDocument, { channel: 'WEB_PUSH' });
    toast(texts.testSent);
  });
  const remove = (id: string) =>
    press(async () => {
      await api.mutateUncached(RemovePushSubscriptionDocument, { id });
      await onChanged();
    });

  return (
    <section className={styles.section} aria-labelledby="delivery-devices">
      <h2 id="delivery-devices">{texts.devices}</h2>
      <ThisDevice canStart={serverKey !== null} isOn={isOn} isBusy={isBusy} start={start} stop={stop} />
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
                  <BusyButton
                    className={ui.quiet}
                    isBusy={isBusy}
                    aria-label={texts.removeNamed(device.label)}
                    onClick={remove(device.id)}
                  >
                    {texts.remove}
                  </BusyButton>
                )}
              </li>
            ))}
          </ul>
          <div>
            <BusyButton className={ui.quiet} isBusy={isBusy} onClick={test}>
              {texts.test}
            </BusyButton>
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
  const texts = useDeliveryTexts();
  if (isOn) {
    return (
      <p className={styles.line}>
        <span role="status">{texts.thisOn}</span>
        <BusyButton className={ui.quiet} isBusy={isBusy} onClick={stop}>
          {texts.turnOff}
        </BusyButton>
      </p>
    );
  }
  if (!canStart) return <p className={ui.soft}>{texts.notSetUp}</p>;
  if (!canPush()) return <p className={ui.soft}>{texts.unsupported}</p>;
  if (Notification.permission === 'denied') return <p className={ui.soft}>{texts.blocked}</p>;
  return (
    <p className={styles.line}>
      <span role="status">{texts.thisOff}</span>
      <BusyButton className={ui.button} isBusy={isBusy} onClick={start}>
        {texts.turnOn}
      </BusyButton>
    </p>
  );
}

function Used({ device, isThis }: { readonly device: PushDeviceFragment; readonly isThis: boolean }) {
  const { ago } = useI18n();
  const texts = useDeliveryTexts();
  if (isThis) return texts.thisDevice;
  return device.lastUsedAt === null
    ? texts.addedAt(ago(device.createdAt))
    : texts.usedAt(ago(device.lastUsedAt));
}
