import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import styles from './Tip.module.css';

export interface TipProps {
  /** Made when somebody comes to it, by pointer or keyboard. */
  readonly content: ReactNode;
  /** A button. */
  readonly children: ReactElement<ComponentProps<'button'>>;
}

/** Says more about a button while somebody is on it, or on what it says; Escape takes it away. */
export function Tip({ content, children }: TipProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const around = useRef<HTMLSpanElement>(null);
  const show = () => setIsShown(true);
  const hide = useCallback(() => setIsShown(false), []);
  useHiddenByEscape({ isShown, around, hide });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches what happens to the button in it.
    <span
      ref={around}
      className={styles.around}
      onPointerEnter={show}
      onPointerLeave={hide}
      onFocus={show}
      onBlur={hide}
    >
      {cloneElement(children, isShown ? { 'aria-describedby': id } : {})}
      {isShown && (
        <span id={id} role="tooltip" className={styles.tip}>
          {content}
        </span>
      )}
    </span>
  );
}

interface Escape {
  readonly isShown: boolean;
  readonly around: RefObject<HTMLElement | null>;
  readonly hide: () => void;
}

/** Before anybody else hears of the key: who is on the button does not mean the thread that it is in. */
function useHiddenByEscape({ isShown, around, hide }: Escape): void {
  useEffect(() => {
    if (!isShown) return;
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      if (around.current?.contains(document.activeElement) === true) event.stopPropagation();
      hide();
    };
    addEventListener('keydown', listen, { capture: true });
    return () => removeEventListener('keydown', listen, { capture: true });
  }, [isShown, around, hide]);
}
