import type { ComponentProps } from 'react';
import styles from './ui.module.css';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label'> {
  /** The accessible name, also shown as a tooltip. */
  readonly label: string;
}

export const IconButton = ({ label, className, ...props }: IconButtonProps) => (
  <button
    type="button"
    title={label}
    {...props}
    className={`${styles.icon} ${className ?? ''}`}
    aria-label={label}
  />
);
