/** No response may be taken for another type by a browser, put into a frame, or made to run anything. */
import { expect, test } from 'vitest';
import { createPage } from '../../src/server/http/pages.ts';
import { startServer } from './support/server.ts';

const picture = { path: '/stamps/x.svg', contentType: 'image/svg+xml', body: Buffer.from('<svg/>') };

test.each([
  ['the start page', '/', {}],
  ['GraphiQL', '/graphql', { accept: 'text/html' }],
  ['a query', '/graphql?query=%7Bhello%7D', {}],
  ['a refused query', '/graphql?query=%7B', {}],
  ['a picture', picture.path, {}],
  ['health', '/healthz', {}],
  ['a foreign page', '/', { origin: 'https://evil.example' }],
  ['an unknown path', '/nothing', {}],
])('security headers: %s', async (what, path, headers) => {
  const { get } = await startServer({ files: [picture] });
  const response = await get(path, headers);
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/script-src[^;]*(unsafe|\*|https?:)/);
  // A picture may be shown by pages of other origins.
  if (what !== 'a picture') expect(policy).toContain("frame-ancestors 'none'");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'permissions-policy': expect.stringContaining('camera=()'),
    'cross-origin-opener-policy': 'same-origin',
  });
  expect(response.headers.has('x-powered-by') || response.headers.has('server')).toBe(false);
});

test('connections: a page may also send requests to the origins that it was made with', async () => {
  const { policy } = await createPage('<!doctype html>', 'with-files', ['https://id.example.com']);
  expect(policy).toContain("; connect-src 'self' https://id.example.com;");
  expect((await createPage('<!doctype html>', 'with-files')).policy).toContain("; connect-src 'self';");
});

test('vary: pages and files that exist in several encodings also vary by origin', async () => {
  const encoded = { ...picture, encoded: { gzip: Buffer.from('packed') } };
  const { get } = await startServer({ files: [encoded] });
  for (const path of ['/', picture.path]) {
    const { headers } = await get(path, {});
    expect([path, headers.get('vary')]).toEqual([path, 'origin, accept-encoding']);
  }
});

test('caching: files whose path has a hash are kept for a year, and a service worker is asked for each time', async () => {
  const worker = { path: '/sw.js', contentType: 'text/javascript', body: Buffer.from(''), changes: true };
  const { get } = await startServer({ files: [picture, worker] });
  expect((await get(picture.path)).headers.get('cache-control')).toMatch('immutable');
  const { headers } = await get(worker.path);
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';(?!.*sandbox)/);
});
