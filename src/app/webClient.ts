import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Encoding, ServedFile } from '../server/http/files.ts';
import { createPage, type Page } from '../server/http/pages.ts';

/** A person of the demo, ready to be. */
export interface DemoToken {
  /** As the API has it. */
  readonly id: string;
  readonly handle: string;
  readonly name: string;
  readonly token: string;
}

/** What the page is told by the server. */
export interface Told {
  /** Whom one may be; empty outside development. */
  readonly people: readonly DemoToken[];
  readonly graphiql: boolean;
}

export interface WebClient {
  readonly page: Page;
  readonly files: readonly ServedFile[];
}

/** Where `npm run build` puts it: the same from `src` and from `dist`. */
const BUILT = fileURLToPath(new URL('../../dist/web/', import.meta.url));
/** Their names are hashes of their content. */
const ASSETS = 'assets';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
const ENCODED: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/** The place in the page for what it is told. */
const PLACE = '<script id="server" type="application/json">{}</script>';

/**
 * The web client as it was built, read into memory once. Where it was not built the page says how to: the API
 * needs no client. That page is told the same, for `npm run dev:web`, which serves the client itself.
 */
export async function loadWebClient(told: Told, directory = BUILT): Promise<WebClient> {
  // In JSON, `<` can be written so that nothing in it ends the script.
  const json = JSON.stringify(told).replaceAll('<', '\\u003c');
  const telling = (html: string) => html.replace(PLACE, () => PLACE.replace('{}', () => json));
  const html = await readFile(join(directory, 'index.html'), 'utf8').catch(() => undefined);
  if (html === undefined) return { page: await createPage(telling(NOT_BUILT)), files: [] };
  if (!html.includes(PLACE)) throw new Error(`${directory} is of another version: run npm run build.`);
  const page = await createPage(telling(html), 'with-files');
  return { page, files: await readFiles(join(directory, ASSETS)) };
}

async function readFiles(directory: string): Promise<ServedFile[]> {
  const names = await readdir(directory);
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
    return [{ path: `/${ASSETS}/${name}`, contentType, body, encoded }];
  });
}

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Tsudoi</title>
${PLACE}
<p>The web client is not built: <code>npm run build:web</code>, then start the server again.</p>
<p>The API is at <a href="/graphql">/graphql</a>. <a href="/healthz">Health</a></p>
</html>`;
