import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SignInConfig } from '../core/signIn.ts';
import type { Encoding } from '../server/http/encoding.ts';
import type { ServedFile } from '../server/http/files.ts';
import { createPage, type Page } from '../server/http/pages.ts';

/** A demo user and a token of theirs. */
export interface DemoToken {
  /** The user's id in the API. */
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  /** The language of the user's rooms. */
  readonly language: 'en' | 'ja';
  readonly token: string;
}

/** What the server writes into the page. */
export interface PageData {
  /** The demo users that a visitor may sign in as; empty outside development. */
  readonly people: readonly DemoToken[];
  readonly graphiql: boolean;
  /** Absent: users enter a token. */
  readonly signIn?: SignInConfig;
}

export interface WebClient {
  /** False: the page says how to build the client. */
  readonly isBuilt: boolean;
  readonly page: Page;
  readonly files: readonly ServedFile[];
}

/** The output folder of `npm run build`. The path is the same from `src` and from `dist`. */
const BUILT = fileURLToPath(new URL('../../dist/web/', import.meta.url));
/** The subfolder of the scripts and styles, whose names contain a hash of their content. */
const ASSETS = 'assets';
/**
 * The beginnings of the names at the top: a service worker controls the pages below its own path, and systems keep the
 * addresses of the manifest and the icons.
 */
const TOP = ['sw.js', 'manifest.webmanifest', 'icon-', 'apple-touch-icon.png'];

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
const ENCODED: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/** The element of the page that receives the data. */
const DATA_ELEMENT = '<script id="server" type="application/json">{}</script>';

/**
 * Reads the built web client into memory. If it is not built, the page says how to build it, because the API works
 * without a client. That page has the same data, for `npm run dev:web`, which serves the client itself.
 */
export async function loadWebClient(data: PageData, directory = BUILT): Promise<WebClient> {
  // With `<` escaped, nothing in the JSON can end the script element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const withData = (html: string) => html.replace(DATA_ELEMENT, () => DATA_ELEMENT.replace('{}', () => json));
  const html = await readFile(join(directory, 'index.html'), 'utf8').catch(() => undefined);
  if (html === undefined) {
    return { isBuilt: false, page: await createPage(withData(NOT_BUILT)), files: [] };
  }
  if (!html.includes(DATA_ELEMENT))
    throw new Error(`${directory} was built from another version: run npm run build.`);
  const connects = data.signIn === undefined ? [] : [new URL(data.signIn.issuer).origin];
  const page = await createPage(withData(html), 'with-files', connects);
  const assets = await readFiles(join(directory, ASSETS), await readdir(join(directory, ASSETS)));
  const top = (await readdir(directory)).filter((name) => TOP.some((start) => name.startsWith(start)));
  const files = [
    ...assets.map((file) => ({ ...file, path: `/${ASSETS}/${file.path}` })),
    ...(await readFiles(directory, top)).map((file) => ({ ...file, path: `/${file.path}`, changes: true })),
  ];
  return { isBuilt: true, page, files };
}

/** The files with their names as paths, each with its compressed copies. */
async function readFiles(directory: string, names: readonly string[]): Promise<ServedFile[]> {
  const read = async (name: string) => [name, await readFile(join(directory, name))] as const;
  const bodies = new Map(await Promise.all(names.map(read)));
  return [...bodies].flatMap(([name, body]) => {
    const contentType = CONTENT_TYPES[extname(name)];
    if (contentType === undefined) return [];
    const encoded = Object.fromEntries(
      Object.entries(ENCODED).flatMap(([extension, encoding]) => {
        const compressed = bodies.get(name + extension);
        return compressed === undefined ? [] : [[encoding, compressed]];
      }),
    );
    return [{ path: name, contentType, body, encoded }];
  });
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tsudoi</title>
${DATA_ELEMENT}
<p>The web client is not built. Run <code>npm run build:web</code> and start the server again.</p>
<p>The API is at <a href="/graphql">/graphql</a>. <a href="/healthz">Health</a></p>
</html>`;
