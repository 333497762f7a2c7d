import type { ComponentProps } from 'react';

export interface BusyButtonProps extends ComponentProps<'button'> {
  /** It cannot be pressed, for example because what it did last is still on its way. */
  readonly isBusy: boolean;
}

/**
 * A button that keeps the focus while it cannot be pressed. `disabled` would take the focus away, and the keyboard would
 * start again at the top of the page. In a form it also ignores Enter in a field, which the browser turns into a
 * click on this button.
 */
export const BusyButton = ({ isBusy, onClick, ...props }: BusyButtonProps) => (
  <button
    type="button"
    {...props}
    aria-disabled={isBusy || undefined}
    onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
  />
);
