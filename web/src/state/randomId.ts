const BYTES = 16;

/** 32 random hexadecimal digits. Unlike `crypto.randomUUID`, also on pages that are not secure. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
