import { CSPProvider } from '@base-ui/react/csp-provider';
import { useEffect, useMemo, useState } from 'react';
import {
  createI18n,
  I18nContext,
  keepLanguage,
  keptLanguage,
  type LanguageActions,
  languageAtStart,
  languageOf,
  useI18n,
} from './i18n/i18n.ts';
import { useToday } from './i18n/useToday.ts';
import type { PageConfig } from './session/pageConfig.ts';
import { SessionGate } from './session/SessionGate.tsx';
import { ErrorBoundary } from './ui/ErrorBoundary.tsx';
import pane from './ui/pane.module.css';
import { Toasts } from './ui/Toasts.tsx';
import ui from './ui/ui.module.css';

export function App({ config }: { readonly config: PageConfig }) {
  const [language, setLanguage] = useState(languageAtStart);
  const today = useToday();
  const actions = useMemo(
    (): LanguageActions => ({
      setLanguage(chosen) {
        keepLanguage(chosen);
        setLanguage(chosen);
      },
      follow: (locale) => setLanguage((now) => keptLanguage() ?? languageOf(locale) ?? now),
    }),
    [],
  );
  const i18n = useMemo(
    () => createI18n({ language, actions, today, tags: navigator.languages }),
    [language, actions, today],
  );
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  return (
    <CSPProvider disableStyleElements>
      <I18nContext value={i18n}>
        <ErrorBoundary fallback={<CrashPage />}>
          <Toasts>
            <SessionGate config={config} />
          </Toasts>
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
