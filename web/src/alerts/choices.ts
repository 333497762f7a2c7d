import { keep } from '../state/keep.ts';
import { createStore, type Store } from '../state/store.ts';

/** How this browser alerts its users while a page is open. Undefined: they have not chosen. */
export interface AlertChoices {
  /** The question was answered, or the choice was made in the settings. */
  readonly isAnswered: boolean;
  /** Notifications of the system, while the user looks at no page. */
  readonly notify: boolean | undefined;
  readonly sound: boolean | undefined;
}

const PLACE = 'tsudoi:alerts';

type Choices = Pick<Store<AlertChoices>, 'get' | 'subscribe' | 'set'>;

let choices: Choices | undefined;

/** Kept in this browser, for all of its users. They are the same in all tabs. */
export function alertChoices(): Choices {
  choices ??= createChoices();
  return choices;
}

function createChoices(): Choices {
  const store = createStore(kept());
  addEventListener('storage', ({ key }) => {
    if (key === PLACE || key === null) store.set(kept());
  });
  return {
    get: store.get,
    subscribe: store.subscribe,
    set(next: AlertChoices) {
      keep(localStorage, PLACE, JSON.stringify(next));
      store.set(next);
    },
  };
}

/** Values of another release, or that someone has edited, are left out. */
function kept(): AlertChoices {
  let found: Partial<Record<keyof AlertChoices, unknown>> = {};
  try {
    found = (JSON.parse(localStorage.getItem(PLACE) ?? '{}') ?? {}) as typeof found;
  } catch {
    // No choice.
  }
  const { isAnswered, notify, sound } = found;
  const choice = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
  return { isAnswered: isAnswered === true, notify: choice(notify), sound: choice(sound) };
}

/** Browsers have what alerts need only on secure pages: those of https and of this machine. */
export const canAlert = (): boolean => (navigator.locks as LockManager | undefined) !== undefined;

/**
 * Whether a page can show notifications of the system. Browsers of phones and tablets show only those of a service
 * worker, for deliveries: there the constructor throws, and nothing says so before.
 */
export const canNotify = (): boolean => 'Notification' in window && !isHandheld();

/** An iPad says that it is a Mac. */
const isHandheld = (): boolean =>
  /\b(Android|iPhone|iPad)\b/.test(navigator.userAgent) ||
  (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);

/** Whether the system may show notifications of this page. */
export const isAllowed = (): boolean => canNotify() && Notification.permission === 'granted';

/** `hasPush`: the viewer has turned on deliveries to this browser, so they want to be notified here. */
export const isSoundOn = ({ sound, notify }: AlertChoices, hasPush: boolean): boolean =>
  sound ?? (notify === true || hasPush);

/**
 * Lets the system show notifications, and turns the sound on unless it was turned off. Only called on a click, because
 * it asks for permission. Resolves to whether the browser allows it.
 */
export async function allowAlerts(): Promise<boolean> {
  const isGranted = canNotify() && (await Notification.requestPermission()) === 'granted';
  const { sound } = alertChoices().get();
  alertChoices().set({ isAnswered: true, notify: isGranted, sound: isGranted ? (sound ?? true) : sound });
  return isGranted;
}
