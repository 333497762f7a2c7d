import { useEffect, useLayoutEffect, useRef } from 'react';
import { TellLanguageDocument } from '../generated/graphql.ts';
import { keptLanguage, useI18n } from '../i18n/i18n.ts';
import { useSession } from './session.ts';

/**
 * The server words notifications: whoever has chosen a language here hears of them in it, and for whoever has chosen
 * one elsewhere the page is in it, too.
 */
export function useToldLanguage(): void {
  const { language, follow } = useI18n();
  const { api, locale } = useSession();
  const told = useRef(locale);
  // Before anything is drawn.
  useLayoutEffect(() => follow(locale), [follow, locale]);
  useEffect(() => {
    if (keptLanguage() !== language || told.current.slice(0, 2) === language) return;
    told.current = language;
    // What fails is told when the page is opened again.
    api.fetch(TellLanguageDocument, { locale: language }).catch(() => {});
  }, [api, language]);
}
