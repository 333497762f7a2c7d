import { useCallback } from 'react';
import { useI18n } from '../i18n/i18n.ts';
import { copyText } from './copyText.ts';
import { useToast } from './Toasts.tsx';

/**
 * Copies a text and says so: `done`, or that it did not succeed. Resolves to whether it succeeded. Default of `failed`:
 * the user can select the text, which is on the screen.
 */
export function useCopy(): (text: string, done: string, failed?: string) => Promise<boolean> {
  const { t } = useI18n();
  const toast = useToast();
  return useCallback(
    async (text, done, failed = t('app.notCopied')) => {
      const isCopied = await copyText(text);
      toast(isCopied ? done : failed);
      return isCopied;
    },
    [toast, t],
  );
}
