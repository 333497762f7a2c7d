import { useEffect, useLayoutEffect, useRef } from 'react';
import { SetLanguageDocument } from '../generated/graphql.ts';
import { keptLanguage, useI18n } from '../i18n/i18n.ts';
import { useSession } from './session.ts';

/**
 * Keeps the language of the page and of the server's texts (notifications) the same: a language chosen here is sent to
 * the server, and if none was chosen here, the page uses the one that the server has.
 */
export function useLanguageSync(): void {
  const { language, follow } = useI18n();
  const { api, locale } = useSession();
  const sent = useRef(locale);
  // Before the first paint.
  useLayoutEffect(() => follow(locale), [follow, locale]);
  useEffect(() => {
    if (keptLanguage() !== language || sent.current.slice(0, 2) === language) return;
    sent.current = language;
    // If it fails, it is sent again when the page is opened the next time.
    api.mutateUncached(SetLanguageDocument, { locale: language }).catch(() => {});
  }, [api, language]);
}
