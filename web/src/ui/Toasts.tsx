import { createContext, type ReactNode, use, useCallback, useMemo, useState } from 'react';
import { asApiError, type FailureCode } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import styles from './ui.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 5_000;
const MOST = 3;

const ToastContext = createContext<((text: string) => void) | undefined>(undefined);

/** Short messages about what happened. Screen readers announce them. Each disappears after 5 s. */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const add = useMemo(() => {
    let id = 0;
    return (text: string) => {
      const toast = { id: ++id, text };
      setToasts((now) => [...now.filter((other) => other.text !== text), toast].slice(-MOST));
      setTimeout(() => setToasts((now) => now.filter((other) => other !== toast)), SHOWN_MS);
    };
  }, []);
  return (
    <ToastContext value={add}>
      {children}
      <div className={styles.toasts} role="status">
        {toasts.map(({ id, text }) => (
          <p key={id} className={styles.toast}>
            {text}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}

export function useToast(): (text: string) => void {
  const toast = use(ToastContext);
  if (toast === undefined) throw new Error('useToast needs a Toasts provider.');
  return toast;
}

/** Texts for error codes that replace the general ones, if the caller can say more precisely what happened. */
export type Words = Readonly<Partial<Record<FailureCode, string>>>;

/** Runs an action and shows a toast if it fails. Resolves to whether it succeeded. */
export function useAttempt(): (action: () => Promise<unknown>, words?: Words) => Promise<boolean> {
  const toast = useToast();
  const { problem } = useI18n();
  return useCallback(
    async (action, words = {}) => {
      try {
        await action();
        return true;
      } catch (error) {
        const failure = asApiError(error);
        toast(words[failure.code] ?? problem(failure));
        return false;
      }
    },
    [toast, problem],
  );
}
