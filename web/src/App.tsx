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
} from './i18n/i18n.ts';
import { useToday } from './i18n/useToday.ts';
import type { PageConfig } from './session/pageConfig.ts';
import { SessionGate } from './session/SessionGate.tsx';
import { ErrorBoundary } from './ui/ErrorBoundary.tsx';
import { Toasts } from './ui/Toasts.tsx';

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
  const i18n = useMemo(() => createI18n(language, actions, today), [language, actions, today]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  return (
    <CSPProvider disableStyleElements>
      <I18nContext value={i18n}>
        <ErrorBoundary>
          <Toasts>
            <SessionGate config={config} />
          </Toasts>
        </ErrorBoundary>
      </I18nContext>
    </CSPProvider>
  );
}
