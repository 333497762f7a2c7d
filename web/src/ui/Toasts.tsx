import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type ApiError, asApiError, type FailureCode } from '../api/errors.ts';
import { useI18n } from '../i18n/i18n.ts';
import styles from './ui.module.css';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly action?: ToastAction | undefined;
}

/** What can be done about what happened, such as undoing it. */
interface ToastAction {
  readonly label: string;
  readonly run: () => void;
}

type ShowToast = (text: string, action?: ToastAction) => void;

const SHOWN_MS = 5_000;
/** Long enough to reach the button, also with the keyboard. */
const SHOWN_WITH_ACTION_MS = 10_000;
const MOST = 3;

const ToastContext = createContext<ShowToast | undefined>(undefined);

/**
 * Short messages about what happened. Screen readers announce them. Each disappears after 5 s, and after 10 s with an
 * action.
 */
export function Toasts({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const drop = useCallback((gone: Toast) => setToasts((now) => now.filter((other) => other !== gone)), []);
  const add = useMemo((): ShowToast => {
    let id = 0;
    return (text, action) => {
      const toast = { id: ++id, text, action };
      setToasts((now) => [...now.filter((other) => other.text !== text), toast].slice(-MOST));
      setTimeout(() => drop(toast), action === undefined ? SHOWN_MS : SHOWN_WITH_ACTION_MS);
    };
  }, [drop]);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current === null ? undefined : measure(box.current)), []);
  return (
    <ToastContext value={add}>
      {children}
      {/* With this attribute, an open dialog does not hide them from screen readers. A role alone does not do it. */}
      <div ref={box} className={styles.toasts} role="status" aria-live="polite">
        {toasts.map((toast) => (
          <p key={toast.id} className={styles.toast}>
            {toast.text}
            {toast.action !== undefined && (
              <button
                type="button"
                onClick={() => {
                  toast.action?.run();
                  drop(toast);
                }}
              >
                {toast.action.label}
              </button>
            )}
          </p>
        ))}
      </div>
    </ToastContext>
  );
}

/** Keeps the height that toasts take in a variable of the style sheets: dialogs make room for it. */
function measure(box: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty('--toasts', `${box.offsetHeight}px`));
  observer.observe(box);
  return () => observer.disconnect();
}

export function useToast(): ShowToast {
  const toast = use(ToastContext);
  if (toast === undefined) throw new Error('useToast needs a Toasts provider.');
  return toast;
}

/**
 * Texts for errors, by their codes or a function, that replace the general ones, if the caller can say more precisely
 * what happened.
 */
export type Words =
  | Readonly<Partial<Record<FailureCode, string>>>
  | ((failure: ApiError) => string | undefined);

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
        const own = typeof words === 'function' ? words(failure) : words[failure.code];
        toast(own ?? problem(failure));
        return false;
      }
    },
    [toast, problem],
  );
}
