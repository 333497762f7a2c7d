import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rawRequest } from '../../server/support/rawRequest.ts';
import { startTestApp, type TestApp } from '../../support/servers/app.ts';
import { Catalogue } from './support/operations.ts';
import { PNG } from './support/pictures.ts';

/** A picture with scripts that an operator may have put into the folder. */
const MALICIOUS = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tsudoi-stamps-'));
  await writeFile(join(folder, 'malicious.svg'), MALICIOUS);
  await writeFile(join(folder, 'dot.png'), PNG);
  app = await startTestApp({ config: { stampsDir: folder } });
});
afterAll(async () => {
  await app.stop();
  await rm(folder, { recursive: true, force: true });
});

function urlOf(key: string): string {
  const stamp = app.services.catalogue.get(key);
  if (stamp === undefined) throw new Error(`There is no stamp ${key}.`);
  return `${app.url}${stamp.imageUrl}`;
}

test('Query.stamps: returns the built-in stamps and those of the folder, in order', async () => {
  const { stamps } = await (await app.as('aki')).do(Catalogue);
  expect(stamps).toEqual(app.services.catalogue.stamps);
  expect(stamps.slice(0, 2).map(({ key }) => key)).toEqual(['thumbs-up', 'heart']);
  expect(stamps.slice(-2).map(({ key }) => key)).toEqual(['dot', 'malicious']);
});

test('GET /stamps: returns every picture without a token, to be cached for a year', async () => {
  const { stamps } = await (await app.as('aki')).do(Catalogue);
  for (const { key, imageUrl } of stamps) {
    const response = await fetch(`${app.url}${imageUrl}`);
    expect(response.status, key).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-type')).toBe(key === 'dot' ? 'image/png' : 'image/svg+xml');
    const body = Buffer.from(await response.arrayBuffer());
    expect(Number(response.headers.get('content-length'))).toBe(body.length);
    if (key === 'dot') expect(body).toEqual(PNG);
  }
});

test('GET /stamps: the policy of an SVG that is opened directly forbids scripts and loading', async () => {
  const response = await fetch(urlOf('malicious'));
  const policy = response.headers.get('content-security-policy')?.split('; ');
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain('sandbox');
  expect(policy?.join()).not.toContain('script-src');
  expect(await response.text()).toBe(MALICIOUS);
});

test('HEAD /stamps: returns the same headers without a body, and other methods are refused', async () => {
  const url = urlOf('heart');
  const whole = await fetch(url);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const name of ['content-type', 'content-length', 'cache-control', 'content-security-policy']) {
    expect(head.headers.get(name)).toBe(whole.headers.get(name));
  }
  expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
});

test('GET /stamps: ignores a query string', async () => {
  expect((await fetch(`${urlOf('heart')}?v=1`)).status).toBe(200);
});

test('GET /stamps: returns 404, which is not cached, for every other path', async () => {
  const port = Number(new URL(app.url).port);
  const good = new URL(urlOf('heart')).pathname;
  const paths = [
    '/stamps',
    '/stamps/',
    '/stamps/heart',
    '/stamps/heart.svg',
    '/stamps/heart.0000000000000000.svg',
    good.replace('.svg', '.png'),
    good.toUpperCase(),
    `${good}/`,
    `/${good}`,
    `/stamps/..${good}`,
    `/stamps/../package.json`,
    '/stamps/../../package.json',
    '/stamps/..%2f..%2fpackage.json',
    '/stamps/%2e%2e/%2e%2e/package.json',
    '/stamps/..\\..\\package.json',
    '/stamps/....//package.json',
    '/stamps/%00',
    '/stamps//etc/passwd',
    '/stamps/constructor',
    '/stamps/__proto__',
  ];
  for (const path of paths) {
    const { status, headers } = await rawRequest({ port, path });
    expect([path, status, headers['cache-control']]).toEqual([path, 404, 'no-store']);
  }
});
