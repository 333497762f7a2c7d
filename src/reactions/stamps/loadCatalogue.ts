import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtIn } from './builtIn.ts';
import { type Catalogue, createCatalogue } from './catalogue.ts';
import { type Picture, pictureOf } from './picture.ts';
import { picturesIn } from './pictureFolder.ts';

export interface LoadedCatalogue {
  readonly catalogue: Catalogue;
  /** In the catalogue's order. */
  readonly pictures: readonly Picture[];
}

/** For processes without clients. */
export const noCatalogue: LoadedCatalogue = { catalogue: createCatalogue([]), pictures: [] };

/** Next to `src` and `dist`. */
const OWN_FOLDER = fileURLToPath(new URL('../../../assets/stamps/', import.meta.url));

/**
 * The built-in stamps, then those of `folder` in the order of their names. A file with the name of a built-in stamp
 * replaces that stamp's picture, but not its position and label. The folder is read once: a change needs a restart.
 * Throws `ConfigError` with the files of `folder` that break a rule.
 */
export async function loadCatalogue(folder?: string): Promise<LoadedCatalogue> {
  const own = await Promise.all(builtIn.map(([key]) => ownPicture(key)));
  const added = folder === undefined ? [] : await picturesIn(folder);
  // A Map keeps the position of an entry that is replaced.
  const pictures = [...new Map([...own, ...added].map((picture) => [picture.key, picture])).values()];
  const labels = new Map(builtIn);
  const stamps = pictures.map(({ key, path }) => ({
    key,
    label: labels.get(key) ?? labelOf(key),
    imageUrl: path,
    emoji: null,
  }));
  return { catalogue: createCatalogue(stamps), pictures };
}

/** `party-parrot` → `Party parrot` */
function labelOf(key: string): string {
  const words = key.replace(/[-_]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

async function ownPicture(key: string): Promise<Picture> {
  const picture = pictureOf({ key, extension: 'svg' }, await readFile(join(OWN_FOLDER, `${key}.svg`)));
  if (typeof picture === 'string') throw new Error(`The built-in stamp ${key} ${picture}.`);
  return picture;
}
