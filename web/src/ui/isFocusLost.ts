/** Whether no element has the focus, for example because the one that had it is gone. */
export const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement === document.body;
