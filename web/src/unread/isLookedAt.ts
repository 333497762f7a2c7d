/** Only then something on the screen counts as seen. */
export const isLookedAt = (): boolean => document.visibilityState === 'visible' && document.hasFocus();
