const PARTS = 256;

/**
 * A map of very many keys, in parts. A single one with a million keys takes 50 ms when it grows, because it copies all
 * of them.
 */
export interface KeyMap<V> {
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): void;
  delete(key: string): void;
  clear(): void;
}

export function createKeyMap<V>(): KeyMap<V> {
  const parts = Array.from({ length: PARTS }, () => new Map<string, V>());
  function partOf(key: string): Map<string, V> | undefined {
    let hash = 0;
    for (let at = 0; at < key.length; at++) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) >>> 0;
    return parts[hash % PARTS];
  }
  return {
    get: (key) => partOf(key)?.get(key),
    has: (key) => partOf(key)?.has(key) === true,
    set: (key, value) => void partOf(key)?.set(key, value),
    delete: (key) => void partOf(key)?.delete(key),
    clear() {
      for (const part of parts) part.clear();
    },
  };
}
