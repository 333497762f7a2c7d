import type { Page } from 'playwright-core';

/** The key code of a key that an input method handles. */
const PROCESSED = 229;

const CODES = { Enter: 13, Escape: 27, ArrowUp: 38, ArrowDown: 40 } as const;

export interface InputMethod {
  /** Shows a text that is not chosen yet, in the field that has the focus. */
  compose(text: string): Promise<void>;
  /** Replaces it by the chosen text, which ends the composition. */
  commit(text: string): Promise<void>;
  /**
   * Presses a key. `as`: `processed` is how browsers report a key that the input method handles. Safari does it after
   * the composition has ended, too.
   */
  press(key: keyof typeof CODES, as?: 'processed'): Promise<void>;
}

/** Writes Japanese as an input method (IME) does. */
export async function useInputMethod(page: Page): Promise<InputMethod> {
  const session = await page.context().newCDPSession(page);
  return {
    async compose(text) {
      const end = text.length;
      await session.send('Input.imeSetComposition', { text, selectionStart: end, selectionEnd: end });
    },
    async commit(text) {
      await session.send('Input.insertText', { text });
    },
    async press(key, as) {
      const code = as === undefined ? CODES[key] : PROCESSED;
      const pressed = { key, code: key, windowsVirtualKeyCode: code };
      await session.send('Input.dispatchKeyEvent', { ...pressed, type: 'rawKeyDown' });
      await session.send('Input.dispatchKeyEvent', { ...pressed, type: 'keyUp' });
    },
  };
}
