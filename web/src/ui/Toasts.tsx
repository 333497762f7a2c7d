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

/** Short messages that say what happened, read out by screen readers, gone after a while. */
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
  if (toast === undefined) throw new Error('There is no place for toasts.');
  return toast;
}

/** What a refusal means here, where its general words would say less. */
export type Words = Readonly<Partial<Record<FailureCode, string>>>;

/** Runs something, and says what can be done where the server refused it. */
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
