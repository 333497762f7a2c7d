import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from './errors.ts';
import { usingFile } from './fileErrors.ts';

export interface KeptSecretOptions {
  readonly dataDir: string;
  /** The name of its file. */
  readonly name: string;
  /** The length. A file with another one is refused. */
  readonly bytes: number;
  readonly make: () => Buffer;
  /** Called if there was no secret, and this process made the one that all use from now on. */
  readonly onMade?: (() => void) | undefined;
}

/**
 * A secret of development, in a file of the data directory that only its owner can read. Every process with the same
 * data directory has the same secret; the first one creates it. Throws `StartError` if the file cannot be used.
 */
export async function keptSecret(options: KeptSecretOptions): Promise<Uint8Array> {
  const { dataDir, name, bytes } = options;
  const path = join(dataDir, name);
  const secret = await usingFile(
    path,
    async () => (await readSecret(path)) ?? (await makeSecret(path, options)),
  );
  if (secret?.length !== bytes) {
    throw new StartError(
      `${path} does not contain a secret of ${bytes} bytes. Restore it from a copy, or delete it: the next start makes a new one.`,
    );
  }
  return secret;
}

/** Undefined if there is no such file. Empty if it contains anything else than a secret. */
async function readSecret(path: string): Promise<Uint8Array | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return Buffer.from(/^[\w-]*$/.test(text) ? text : '', 'base64url');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Writes the file under another name first. If two processes start at the same time, the first link wins. */
async function makeSecret(
  path: string,
  { dataDir, make, onMade }: KeptSecretOptions,
): Promise<Uint8Array | undefined> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    await writeFile(draft, `${make().toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    await link(draft, path);
    onMade?.();
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readSecret(path);
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;
