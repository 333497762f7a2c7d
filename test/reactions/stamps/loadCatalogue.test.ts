import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/config.ts';
import { loadCatalogue } from '../../../src/reactions/stamps/loadCatalogue.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';
import { GIF, PNG, SVG, WEBP } from './support/pictures.ts';

async function folderOf(files: Readonly<Record<string, string | Buffer>>): Promise<string> {
  const folder = await temporaryDirectory();
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return folder;
}

async function problemsOf(folder: string): Promise<readonly string[]> {
  const error = await loadCatalogue(folder).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw new Error(`expected a ConfigError, not ${error}`);
  return error.problems;
}

const BUILT_IN = new URL('../../../assets/stamps/', import.meta.url);

test('loadCatalogue: the built-in catalogue has a picture for each stamp and a stamp for each picture', async () => {
  const { catalogue, pictures } = await loadCatalogue();
  expect(catalogue.stamps.length).toBeGreaterThanOrEqual(24);
  expect(pictures.map(({ key }) => key)).toEqual(catalogue.stamps.map(({ key }) => key));
  expect(catalogue.stamps.map(({ key }) => `${key}.svg`).sort()).toEqual((await readdir(BUILT_IN)).sort());
  expect(new Set(catalogue.stamps.map(({ label }) => label)).size).toBe(catalogue.stamps.length);
  for (const { key, label, imageUrl } of catalogue.stamps) {
    expect(label).toMatch(/^[A-Z][\w -:]+$/);
    expect(imageUrl).toMatch(new RegExp(`^/stamps/${key}\\.[0-9a-f]{16}\\.svg$`));
  }
});

test('loadCatalogue: the built-in pictures are small, of one size, and have no scripts or links', async () => {
  for (const file of await readdir(BUILT_IN)) {
    const svg = await readFile(new URL(file, BUILT_IN), 'utf8');
    expect(svg, file).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" [^>]*viewBox="0 0 64 64"/);
    expect(Buffer.byteLength(svg), file).toBeLessThan(2_048);
    const elements = [...svg.matchAll(/<([a-z]+)/gi)].map(([, name]) => name ?? '');
    const unexpected = elements.filter((name) => !['svg', 'g', 'path', 'circle', 'ellipse'].includes(name));
    expect(unexpected, file).toEqual([]);
    expect(svg.slice(svg.indexOf('>')), file).not.toMatch(/\bon\w+=|href|url\(|:\/\//);
  }
});

test('loadCatalogue: adds the pictures of a configured folder after the built-in ones, by name', async () => {
  const builtIn = (await loadCatalogue()).catalogue.stamps;
  const folder = await folderOf({
    'party-parrot.gif': GIF,
    'b_2.webp': WEBP,
    'a.png': PNG,
    'logo.svg': `<?xml version="1.0"?>\n${SVG}`,
  });
  const { catalogue, pictures } = await loadCatalogue(folder);
  expect(catalogue.stamps.slice(0, builtIn.length)).toEqual(builtIn);
  expect(catalogue.stamps.slice(builtIn.length)).toEqual([
    {
      key: 'a',
      label: 'A',
      imageUrl: expect.stringMatching(/^\/stamps\/a\.[0-9a-f]{16}\.png$/),
      emoji: null,
    },
    {
      key: 'b_2',
      label: 'B 2',
      imageUrl: expect.stringMatching(/^\/stamps\/b_2\.[0-9a-f]{16}\.webp$/),
      emoji: null,
    },
    {
      key: 'logo',
      label: 'Logo',
      imageUrl: expect.stringMatching(/^\/stamps\/logo\.[0-9a-f]{16}\.svg$/),
      emoji: null,
    },
    {
      key: 'party-parrot',
      label: 'Party parrot',
      imageUrl: expect.stringMatching(/^\/stamps\/party-parrot\.[0-9a-f]{16}\.gif$/),
      emoji: null,
    },
  ]);
  expect(pictures.slice(-4).map(({ contentType }) => contentType)).toEqual([
    'image/png',
    'image/webp',
    'image/svg+xml',
    'image/gif',
  ]);
  expect(catalogue.get('party-parrot')?.label).toBe('Party parrot');
});

test('loadCatalogue: a new picture for a built-in stamp keeps its place and label and has another URL', async () => {
  const before = (await loadCatalogue()).catalogue.stamps;
  const { catalogue, pictures } = await loadCatalogue(await folderOf({ 'heart.png': PNG }));
  expect(catalogue.stamps.map(({ key, label }) => [key, label])).toEqual(
    before.map(({ key, label }) => [key, label]),
  );
  expect(catalogue.get('heart')?.imageUrl).toMatch(/^\/stamps\/heart\.[0-9a-f]{16}\.png$/);
  expect(pictures.filter(({ key }) => key === 'heart')).toHaveLength(1);
});

test('loadCatalogue: the URL depends on the content', async () => {
  const urlOf = async (content: string) =>
    (await loadCatalogue(await folderOf({ 'a.svg': content }))).catalogue.get('a')?.imageUrl;
  expect(await urlOf(SVG)).toBe(await urlOf(SVG));
  expect(await urlOf(`${SVG}\n`)).not.toBe(await urlOf(SVG));
});

test('loadCatalogue: ignores hidden files and follows links, as in a mounted folder', async () => {
  const folder = await folderOf({ '.DS_Store': 'x' });
  await mkdir(join(folder, '..data'));
  await writeFile(join(folder, '..data', 'cat.svg'), SVG);
  await symlink(join('..data', 'cat.svg'), join(folder, 'cat.svg'));
  expect((await loadCatalogue(folder)).catalogue.get('cat')).toBeDefined();
});

test('loadCatalogue: an empty folder adds nothing', async () => {
  expect((await loadCatalogue(await folderOf({}))).catalogue).toMatchObject({
    stamps: (await loadCatalogue()).catalogue.stamps,
  });
});

const KEY_RULE = 'is not named with 1 to 40 of a-z, 0-9, "-" and "_", beginning with a letter or digit.';
const KIND_RULE = 'does not end with one of .svg, .png, .webp, .gif.';

test.each([
  ['Cat.png', KEY_RULE],
  ['my cat.svg', KEY_RULE],
  ['猫.svg', KEY_RULE],
  ['cat.tar.gif', KEY_RULE],
  ['__proto__.svg', KEY_RULE],
  ['-x.svg', KEY_RULE],
  [`${'a'.repeat(41)}.svg`, KEY_RULE],
  ['cat.jpeg', KIND_RULE],
  ['cat.SVG', KIND_RULE],
  ['cat', KIND_RULE],
  ['README.md', KIND_RULE],
])('loadCatalogue: refuses the file name %s', async (name, rule) => {
  expect(await problemsOf(await folderOf({ [name]: SVG }))).toEqual([`STAMPS_DIR: "${name}" ${rule}`]);
});

test.each([
  ['cat.png', 'an SVG', SVG, 'does not contain what its name says, png.'],
  ['cat.gif', 'a PNG', PNG, 'does not contain what its name says, gif.'],
  ['cat.webp', 'a sound', 'RIFF....WAVE', 'does not contain what its name says, webp.'],
  ['cat.svg', 'a page', '<!doctype html><p>404</p>', 'does not contain what its name says, svg.'],
  ['cat.svg', 'nothing', '', 'does not contain what its name says, svg.'],
  ['cat.svg', 'one byte more than 256 KiB', SVG.padEnd(256 * 1_024 + 1), 'is larger than 256 KiB.'],
])('loadCatalogue: refuses %s if it contains %s', async (name, _what, content, rule) => {
  expect(await problemsOf(await folderOf({ [name]: content }))).toEqual([`STAMPS_DIR: "${name}" ${rule}`]);
});

test('loadCatalogue: accepts a picture of exactly 256 KiB', async () => {
  const { catalogue } = await loadCatalogue(await folderOf({ 'cat.svg': SVG.padEnd(256 * 1_024) }));
  expect(catalogue.get('cat')).toBeDefined();
});

test('loadCatalogue: refuses two pictures of one stamp in different formats', async () => {
  expect(await problemsOf(await folderOf({ 'heart.png': PNG, 'heart.svg': SVG }))).toEqual([
    'STAMPS_DIR: there are two pictures of "heart".',
  ]);
});

test('loadCatalogue: refuses a folder in the folder and a broken link', async () => {
  const folder = await folderOf({});
  await mkdir(join(folder, 'more.svg'));
  await symlink('nowhere', join(folder, 'lost.svg'));
  expect(await problemsOf(folder)).toEqual([
    'STAMPS_DIR: "lost.svg" cannot be read (ENOENT).',
    'STAMPS_DIR: "more.svg" is not a file.',
  ]);
});

test('loadCatalogue: refuses a folder that does not exist or is a file', async () => {
  const folder = await folderOf({ 'a.svg': SVG });
  expect(await problemsOf(join(folder, 'nothing'))).toEqual([
    'STAMPS_DIR cannot be read as a folder (ENOENT).',
  ]);
  expect(await problemsOf(join(folder, 'a.svg'))).toEqual([
    'STAMPS_DIR cannot be read as a folder (ENOTDIR).',
  ]);
});

test('loadCatalogue: accepts 500 pictures and refuses 501', async () => {
  const files = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`s${i}.svg`, SVG]));
  const builtIn = (await loadCatalogue()).pictures.length;
  const folder = await folderOf(files);
  expect((await loadCatalogue(folder)).pictures).toHaveLength(builtIn + 500);
  await writeFile(join(folder, 's500.svg'), SVG);
  expect(await problemsOf(folder)).toEqual(['STAMPS_DIR has 501 files; the most is 500.']);
});

test('loadCatalogue: reports all problems in one error, and at most eleven lines', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`Picture ${i}.jpeg`, SVG]));
  const problems = await problemsOf(await folderOf(files));
  expect(problems).toHaveLength(11);
  expect(problems.at(-1)).toBe('STAMPS_DIR: and 20 more like these.');
});
