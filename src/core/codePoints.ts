const HEX = /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,15}$/;
const MAX_CODE_POINT = 0x10ffff;

/** A text of at most 16 characters, in ASCII: its code points in hexadecimal, such as `2764-fe0f`. */
export const toCodePoints = (text: string): string =>
  [...text].map((one) => one.codePointAt(0)?.toString(16).padStart(2, '0')).join('-');

/** The text that `toCodePoints` was given. Undefined if it cannot have returned this. */
export function fromCodePoints(written: string): string | undefined {
  if (!HEX.test(written)) return undefined;
  const codes = written.split('-').map((hex) => Number.parseInt(hex, 16));
  if (codes.some((code) => code > MAX_CODE_POINT)) return undefined;
  const text = String.fromCodePoint(...codes);
  return toCodePoints(text) === written ? text : undefined;
}
