import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** SQLite, a development dependency, for what the database cannot do itself: to check and to prepare its file. */
export const loadSqlite = async () => (await import('node-sqlite3-wasm')).default;

/** For a thread of its own. */
export const sqlitePath = (): string => createRequire(import.meta.url).resolve('node-sqlite3-wasm');

/** This build's lock is a directory, which a crash leaves behind. No other process uses the data directory. */
export const removeLock = (file: string): Promise<void> =>
  rm(`${file}.lock`, { recursive: true, force: true });
