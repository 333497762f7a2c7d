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
  /** Rendered only while the button is hovered or focused. */
  readonly content: ReactNode;
  /** The button that the tip is about. */
  readonly children: ReactElement<ComponentProps<'button'>>;
}

/** A tooltip. It shows while the button is focused, or the button or the tip is hovered. Escape hides it. */
export function Tip({ content, children }: TipProps) {
  const id = useId();
  const [isShown, setIsShown] = useState(false);
  const around = useRef<HTMLSpanElement>(null);
  const show = () => setIsShown(true);
  const hide = useCallback(() => setIsShown(false), []);
  useHiddenByEscape({ isShown, around, hide });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only observes events of the button inside it.
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
        <span id={id} role="tooltip" className={styles.tip} data-fades>
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

/** Handles Escape before other listeners: on a focused button it must hide the tip, not close the thread around it. */
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
