import { useEffect, useRef } from 'react';
import { TellLanguageDocument } from '../generated/graphql.ts';
import { keptLanguage, useI18n } from '../i18n/i18n.ts';
import { useSession } from './session.ts';

/** The server words notifications: whoever has chosen a language here hears of them in it. */
export function useToldLanguage(): void {
  const { language } = useI18n();
  const { api, locale } = useSession();
  const told = useRef(locale);
  useEffect(() => {
    if (keptLanguage() !== language || told.current.slice(0, 2) === language) return;
    told.current = language;
    // What fails is told when the page is opened again.
    api.fetch(TellLanguageDocument, { locale: language }).catch(() => {});
  }, [api, language]);
}
