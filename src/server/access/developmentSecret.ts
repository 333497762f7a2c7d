import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SignJWT } from 'jose';

const SECRET_BYTES = 32;
const LIFETIME_DAYS = 365;

/**
 * The secret that signs and verifies tokens if no `AUTH_*` is set: 32 random bytes in
 * `<dataDir>/development-secret`, which only its owner can read. Every process with the same data directory has the
 * same secret; the first one creates it.
 */
export async function developmentSecret(dataDir: string): Promise<Uint8Array> {
  const path = join(dataDir, 'development-secret');
  const secret = (await readSecret(path)) ?? (await makeSecret(dataDir, path));
  if (secret.length !== SECRET_BYTES) {
    throw new Error(`${path} does not contain a secret of ${SECRET_BYTES} bytes: delete it and start again.`);
  }
  return secret;
}

async function readSecret(path: string): Promise<Uint8Array | undefined> {
  try {
    return Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Writes the file under another name first. If two processes start at the same time, the first link wins. */
async function makeSecret(dataDir: string, path: string): Promise<Uint8Array> {
  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    await link(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    await unlink(draft);
  }
  return Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url');
}

const isCode = (error: unknown, code: string) =>
  error instanceof Error && 'code' in error && error.code === code;

export interface DevelopmentUser {
  /** The token's subject, and the handle that the first request asks for. */
  readonly handle: string;
  /** The display name; by default the handle with a capital letter. */
  readonly name?: string;
}

/** A token for trying things out. It is signed with the development secret and valid for a year. */
export function developmentToken(secret: Uint8Array, { handle, name }: DevelopmentUser): Promise<string> {
  const displayName = name ?? handle.charAt(0).toUpperCase() + handle.slice(1);
  return new SignJWT({ preferred_username: handle, name: displayName })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(handle)
    .setIssuedAt()
    .setExpirationTime(`${LIFETIME_DAYS} days`)
    .sign(secret);
}
