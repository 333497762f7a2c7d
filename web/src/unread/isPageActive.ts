/** Whether the page is visible and has the focus. Only then what is on the screen counts as seen. */
export const isPageActive = (): boolean => document.visibilityState === 'visible' && document.hasFocus();
