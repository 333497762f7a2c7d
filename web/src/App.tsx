import { CSPProvider } from '@base-ui/react/csp-provider';
import { useEffect, useMemo, useState } from 'react';
import {
  createI18n,
  I18nContext,
  keepLanguage,
  keptLanguage,
  type LanguageDeeds,
  languageAtStart,
  languageOf,
} from './i18n/i18n.ts';
import { useToday } from './i18n/useToday.ts';
import { Gate } from './session/Gate.tsx';
import type { PageConfig } from './session/pageConfig.ts';
import { Broken } from './ui/Broken.tsx';
import { Toasts } from './ui/Toasts.tsx';

export function App({ config }: { readonly config: PageConfig }) {
  const [language, setLanguage] = useState(languageAtStart);
  const today = useToday();
  const deeds = useMemo(
    (): LanguageDeeds => ({
      setLanguage(chosen) {
        keepLanguage(chosen);
        setLanguage(chosen);
      },
      follow: (locale) => setLanguage((now) => keptLanguage() ?? languageOf(locale) ?? now),
    }),
    [],
  );
  const i18n = useMemo(() => createI18n(language, deeds, today), [language, deeds, today]);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);

  return (
    <CSPProvider disableStyleElements>
      <I18nContext value={i18n}>
        <Broken>
          <Toasts>
            <Gate config={config} />
          </Toasts>
        </Broken>
      </I18nContext>
    </CSPProvider>
  );
}
