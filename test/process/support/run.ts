import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { createClient, type TestClient } from '../../support/clients/client.ts';
import { SECRET, tokenFor } from '../../support/clients/tokens.ts';
import { type Program, processesWith, type RunOptions, runProgram } from '../../support/servers/program.ts';
import { eventually } from '../../support/time/eventually.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs the program until the end of the current test. */
export async function run(options: RunOptions = {}): Promise<Program> {
  const program = await runProgram(options);
  onTestFinished(() => program.stop());
  return program;
}

/** The environment of a deployed server, which accepts the tokens of the tests and has no demo data. */
export const deployed = (env: Readonly<Record<string, string>>) => ({
  AUTH_SECRET: SECRET,
  // Here a few users send many messages.
  RATE_LIMITS: 'off',
  HOST: '127.0.0.1',
  ...env,
});

/** A client of a server. It is closed at the end of the current test. */
export async function clientAt(url: string, handle: string, token?: string): Promise<TestClient> {
  const client = createClient(url, token ?? (await tokenFor(handle)));
  onTestFinished(() => client.close());
  return client;
}

/** Resolves when no process has the text in its command line. */
export const noProcessWith = (text: string) => eventually(() => expect(processesWith(text)).toEqual([]));

/** The tokens that the program printed, by the handles in them. */
export function printedTokens({ stdout }: Program): Map<string, string> {
  const tokens = stdout.match(/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? [];
  return new Map(tokens.map((token) => [String(claimsOf(token).preferred_username), token]));
}

function claimsOf(token: string): Record<string, unknown> {
  const [, claims = ''] = token.split('.');
  return JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
}

/** What a clone does not have, and what a start does not need. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', '.data', 'coverage', 'test', 'docs', 'bench']);

/** Copies the project as it is in a clone after `npm ci`. */
export async function copyCheckout(to: string): Promise<void> {
  for (const name of await readdir(ROOT)) {
    if (!LEFT_OUT.has(name)) await cp(join(ROOT, name), join(to, name), { recursive: true });
  }
  await linkPackages(to);
}

/** Links the project's packages into a directory, except some. */
export async function linkPackages(to: string, without: readonly string[] = []): Promise<void> {
  const packages = join(to, 'node_modules');
  await mkdir(packages);
  for (const name of await readdir(join(ROOT, 'node_modules'))) {
    if (!without.includes(name)) await symlink(join(ROOT, 'node_modules', name), join(packages, name));
  }
}
