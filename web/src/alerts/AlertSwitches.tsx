import { keptDevice } from '../delivery/keptDevice.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { Switch } from '../ui/Switch.tsx';
import { useToast } from '../ui/Toasts.tsx';
import { alertChoices, allowAlerts, canAlert, canNotify, isAllowed, isSoundOn } from './choices.ts';
import { playSound } from './sound.ts';
import { useAlertTexts } from './texts.ts';

/** How the viewer is alerted while a page is open in this browser. */
export function AlertSwitches() {
  const texts = useAlertTexts();
  const toast = useToast();
  const { viewer } = useSession();
  const choices = useStore(alertChoices());
  const soundIsOn = isSoundOn(choices, keptDevice(viewer.id) !== undefined);
  const notify = async (isOn: boolean) => {
    if (!isOn) alertChoices().set({ ...choices, isAnswered: true, notify: false, sound: soundIsOn });
    else if (!(await allowAlerts())) toast(texts.notAllowed);
  };
  const sound = (isOn: boolean) => {
    alertChoices().set({ ...choices, isAnswered: true, sound: isOn });
    // So that the viewer knows it later.
    if (isOn) void playSound();
  };
  if (!canAlert()) return null;
  return (
    <>
      {canNotify() && (
        <Switch
          label={texts.notify}
          hint={texts.notifyHint}
          isOn={choices.notify === true && isAllowed()}
          onChange={(isOn) => void notify(isOn)}
        />
      )}
      <Switch label={texts.sound} hint={texts.soundHint} isOn={soundIsOn} onChange={sound} />
    </>
  );
}
