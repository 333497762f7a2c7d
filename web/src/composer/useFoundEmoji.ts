import { useEffect, useState } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { loadWithRetry } from '../ui/loadWithRetry.ts';
import type { Option } from './option.ts';

/** The emoji whose name, code or synonym begins with the text. Their data is loaded with the first search. */
export function useFoundEmoji(typed: string | undefined): readonly Option[] {
  const { language } = useI18n();
  const [found, setFound] = useState<readonly Option[]>([]);
  useEffect(() => {
    setFound([]);
    if (typed === undefined) return;
    let isOver = false;
    loadWithRetry(() => import('../emoji/findEmoji.ts'))
      .then(({ default: findEmoji }) => findEmoji(typed, language))
      .then(
        (options) => isOver || setFound(options),
        // The server has another version of the page: the text stays as it was typed.
        () => {},
      );
    return () => {
      isOver = true;
    };
  }, [typed, language]);
  return found;
}
