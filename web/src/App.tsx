import { CSPProvider } from '@base-ui/react/csp-provider';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Router } from 'wouter';
import type { Texts } from './i18n/en.ts';
import {
  createI18n,
  I18nContext,
  keepLanguage,
  keptLanguage,
  type LanguageActions,
  languageOf,
  useI18n,
} from './i18n/i18n.ts';
import { type Language, loadTexts } from './i18n/texts.ts';
import { useToday } from './i18n/useToday.ts';
import type { PageConfig } from './session/pageConfig.ts';
import { SessionGate } from './session/SessionGate.tsx';
import { type Preferences, PreferencesContext } from './settings/preferences.ts';
import { type Store, useStore } from './state/store.ts';
import { useLocationBelow, watchBack } from './ui/back.ts';
import { ErrorBoundary } from './ui/ErrorBoundary.tsx';
import pane from './ui/pane.module.css';
import { Toasts } from './ui/Toasts.tsx';
import ui from './ui/ui.module.css';

export interface AppProps {
  readonly config: PageConfig;
  readonly preferences: Store<Preferences>;
  /** The language at the start. */
  readonly spoken: Spoken;
}

export interface Spoken {
  readonly language: Language;
  readonly texts: Texts;
}

export function App({ config, preferences, spoken }: AppProps) {
  const [{ language, texts }, setSpoken] = useState(spoken);
  const wanted = useRef(language);
  const { clock } = useStore(preferences);
  const today = useToday();
  const actions = useMemo((): LanguageActions => {
    const change = (next: Language) => {
      wanted.current = next;
      return loadTexts(next).then(
        (loaded) => {
          if (wanted.current === next) setSpoken({ language: next, texts: loaded });
        },
        // The server has another version of the page. The next reload brings its texts.
        () => {},
      );
    };
    return {
      setLanguage(chosen) {
        keepLanguage(chosen);
        return change(chosen);
      },
      follow(locale) {
        const next = keptLanguage() ?? languageOf(locale);
        if (next !== undefined && next !== wanted.current) void change(next);
      },
    };
  }, []);
  const i18n = useMemo(
    () => createI18n({ language, texts, actions, today, clock, tags: navigator.languages }),
    [language, texts, actions, today, clock],
  );
  useEffect(watchBack, []);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  return (
    <CSPProvider disableStyleElements>
      <I18nContext value={i18n}>
        <ErrorBoundary fallback={<CrashPage />}>
          <PreferencesContext value={preferences}>
            <Toasts>
              <Router hook={useLocationBelow}>
                <SessionGate config={config} />
              </Router>
            </Toasts>
          </PreferencesContext>
        </ErrorBoundary>
      </I18nContext>
    </CSPProvider>
  );
}

/** Shown instead of a blank page if rendering fails. */
function CrashPage() {
  const { t } = useI18n();
  return (
    <main className={pane.note} role="alert">
      <p>{t('app.crashed')}</p>
      <button type="button" className={ui.button} onClick={() => location.reload()}>
        {t('app.reload')}
      </button>
    </main>
  );
}
