import { useCallback } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { copyText } from './copyText.ts';
import { useToast } from './Toasts.tsx';

/** Copies a text and says so: `done`, or that it did not succeed. Resolves to whether it succeeded. */
export function useCopy(): (text: string, done: string) => Promise<boolean> {
  const { t } = useI18n();
  const toast = useToast();
  return useCallback(
    async (text, done) => {
      const isCopied = await copyText(text);
      toast(isCopied ? done : t('app.notCopied'));
      return isCopied;
    },
    [toast, t],
  );
}
