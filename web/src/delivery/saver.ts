import type { Backoff } from '../api/backoff.ts';
import { type ApiError, asApiError } from '../api/errors.ts';
import { withRetry } from '../api/retry.ts';
import type { DeliverySettingsPartsFragment, UpdateDeliverySettingsInput } from '../generated/graphql.ts';
import type { Serialize } from '../state/serialize.ts';
import { createStore, type Store } from '../state/store.ts';
import { changesBetween, withoutInvalid, withUnsaved } from './changes.ts';

type Settings = Readonly<DeliverySettingsPartsFragment>;

export interface SaverState {
  /** What the page shows: saved, or about to be. */
  readonly shown: Settings;
  readonly isSaved: boolean;
}

/** Saves the settings while they are changed. */
export interface Saver extends Pick<Store<SaverState>, 'get' | 'subscribe'> {
  /** Shows the settings at once. Saves them shortly after the last change, all changes together. */
  change(next: Settings): void;
  /** Saves what was changed now. */
  flush(): void;
  /** The settings as they are saved now, from somewhere else. What was changed here and is not saved yet stays. */
  receive(settings: Settings): void;
  /** The form is closed: saves what was changed, and forgets what cannot be saved. */
  leave(): void;
}

export interface SaverOptions {
  readonly saved: Settings;
  readonly send: (input: UpdateDeliverySettingsInput) => Promise<Settings>;
  readonly serialize: Serialize;
  readonly backoff: Pick<Backoff, 'wait'>;
  readonly onSaved: (settings: Settings) => void;
  /** The server has a limit, and the changes are sent when it allows more. */
  readonly onWait: () => void;
  /** The server has refused the changes, or did not answer. They are not shown any more. */
  readonly onFailure: (error: ApiError) => void;
}

/**
 * Requests that change the settings, or read them, are sent one after the other, so an answer is never older than what
 * is shown.
 */
export const SETTINGS_KEY = 'delivery settings';

/** More changes than one a second would soon use up the limit of `profiles` (10 in 60 s). */
export const GATHER_MS = 500;

/**
 * One request is on its way at a time. What is changed meanwhile goes with the next one. After RATE_LIMITED the changes
 * wait as long as the server asks for, and all that were made until then are one request. After any other error the
 * settings are shown as they were.
 */
export function createSaver(options: SaverOptions): Saver {
  const { send, serialize, backoff, onSaved, onWait, onFailure } = options;
  let { saved } = options;
  let draft = saved;
  let sent = saved;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const store = createStore<SaverState>({ shown: draft, isSaved: true });

  function show(next: Settings): void {
    draft = next;
    store.set({ shown: draft, isSaved: changesBetween(saved, draft) === undefined });
  }

  /** `base`: what the draft was made from. */
  function take(settings: Settings, base: Settings): void {
    saved = settings;
    show(withUnsaved(base, draft, settings));
  }

  /** Resolves to whether everything is saved. */
  async function sendOnce(): Promise<boolean> {
    clearTimeout(timer);
    sent = withoutInvalid(saved, draft);
    const input = changesBetween(saved, sent);
    if (input === undefined) return true;
    const settings = await send(input);
    take(settings, sent);
    onSaved(settings);
    return false;
  }

  async function sendAll(): Promise<void> {
    const isRetryable = ({ code }: ApiError) => code === 'RATE_LIMITED';
    try {
      while (!(await withRetry(backoff, sendOnce, { isRetryable, onFailure: onWait })));
    } catch (error) {
      take(saved, sent);
      onFailure(asApiError(error));
    }
  }

  function flush(): void {
    clearTimeout(timer);
    if (changesBetween(saved, withoutInvalid(saved, draft)) !== undefined) {
      void serialize(SETTINGS_KEY, sendAll);
    }
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    change(next) {
      show(next);
      clearTimeout(timer);
      timer = setTimeout(flush, GATHER_MS);
    },
    flush,
    receive(settings) {
      if (settings !== saved) take(settings, saved);
    },
    leave() {
      show(withoutInvalid(saved, draft));
      flush();
    },
  };
}
