import { useEffect, useRef, useState } from 'react';
import { type DeliverySettingsPartsFragment, UpdateDeliverySettingsDocument } from '../generated/graphql.ts';
import { useI18n } from '../i18n/i18n.ts';
import { useSession } from '../session/session.ts';
import { useStore } from '../state/store.ts';
import { useToast } from '../ui/Toasts.tsx';
import { createSaver, type Saver } from './saver.ts';
import { useDeliveryTexts } from './texts.ts';

type Settings = Readonly<DeliverySettingsPartsFragment>;

export interface SavedAtOnceProps {
  /** As they are saved. */
  readonly settings: Settings;
  readonly onSaved: (settings: Settings) => void;
  /** What was not saved is shown as it was. What the server has is not known if it did not answer. */
  readonly onFailure: () => void;
}

export interface SavedAtOnce {
  readonly shown: Settings;
  readonly change: (part: Partial<Settings>) => void;
}

/** The settings as the viewer has changed them. A change is saved at once, and a toast says if that failed. */
export function useSavedAtOnce({ settings, onSaved, onFailure }: SavedAtOnceProps): SavedAtOnce {
  const { problem } = useI18n();
  const texts = useDeliveryTexts();
  const { api, serialize, ended } = useSession();
  const toast = useToast();
  /** The latest ones: the saver may outlive the form. */
  const latest = useRef({ onSaved, onFailure, problem, texts });
  latest.current = { onSaved, onFailure, problem, texts };
  const [saver] = useState(() =>
    createSaver({
      saved: settings,
      serialize,
      backoff: api.connection.backoff,
      send: async (input) =>
        (await api.mutateUncached(UpdateDeliverySettingsDocument, { input }, { keepalive: true }))
          .updateDeliverySettings.settings,
      onSaved: (saved) => latest.current.onSaved(saved),
      onWait() {
        if (!ended.aborted) toast(latest.current.texts.savedLater);
      },
      onFailure(error) {
        if (ended.aborted) return;
        toast(latest.current.problem(error));
        latest.current.onFailure();
      },
    }),
  );
  useEffect(() => saver.receive(settings), [saver, settings]);
  useEffect(() => keepUntilSaved(saver, ended), [saver, ended]);
  const { shown } = useStore(saver);
  return { shown, change: (part) => saver.change({ ...saver.get().shown, ...part }) };
}

/**
 * Saves before the page is hidden or the form is closed, and warns before the page is closed too early, unless the
 * viewer has signed out.
 */
function keepUntilSaved(saver: Saver, ended: AbortSignal): () => void {
  const warn = (event: BeforeUnloadEvent) => {
    saver.flush();
    event.preventDefault();
  };
  // Also after the form is closed.
  saver.subscribe(() => {
    if (saver.get().isSaved) removeEventListener('beforeunload', warn);
    else addEventListener('beforeunload', warn, { signal: ended });
  });
  // A phone closes pages that are hidden, without a warning.
  document.addEventListener('visibilitychange', saver.flush);
  return () => {
    document.removeEventListener('visibilitychange', saver.flush);
    saver.leave();
  };
}
