import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import yauzl from 'yauzl';
import { LineProblem } from '../../problems.ts';

/** The files of a folder or of a zip file, by their paths with `/`. */
export interface Archive {
  readonly names: readonly string[];
  /** Throws `LineProblem` for a file that is too large or damaged: a sentence that does not name it. */
  read(name: string): Promise<Buffer>;
  close(): Promise<void>;
}

const FILES_MAX = 1_000_000;
/** Bytes of one file, unpacked: a day of a channel has some megabytes. */
const FILE_MAX = 256 * 1024 * 1024;

export async function openArchive(path: string): Promise<Archive> {
  return (await stat(path)).isDirectory() ? openFolder(path) : openZip(path);
}

/** Two levels: a folder for each channel. */
async function openFolder(path: string): Promise<Archive> {
  const names: string[] = [];
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isFile()) names.push(entry.name);
    if (!entry.isDirectory()) continue;
    for (const file of await readdir(join(path, entry.name), { withFileTypes: true })) {
      if (file.isFile()) names.push(`${entry.name}/${file.name}`);
    }
  }
  return {
    names,
    async read(name) {
      if ((await stat(join(path, name))).size > FILE_MAX) throw tooLarge();
      return readFile(join(path, name));
    },
    close: async () => {},
  };
}

const tooLarge = () => new LineProblem(`It has more than ${FILE_MAX} bytes.`);

/** The library's own messages are for developers. */
const damaged = () => new LineProblem('It cannot be unpacked: it is damaged or encrypted.');
const notZip = (path: string) =>
  new LineProblem(`${path} cannot be read: it is not a zip file, or not all of it is there.`);

/** Nothing is unpacked to disk. */
async function openZip(path: string): Promise<Archive> {
  const zip = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    yauzl.open(path, { lazyEntries: true, autoClose: false }, (error, file) => {
      if (error === null) resolve(file);
      else reject('syscall' in error ? error : notZip(path));
    });
  });
  const entries = await entriesOf(zip, path);
  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new LineProblem('The zip file does not have it.');
      if (entry.uncompressedSize > FILE_MAX) throw tooLarge();
      const stream = await new Promise<NodeJS.ReadableStream>((resolve, reject) => {
        zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(damaged())));
      });
      const parts: Buffer[] = [];
      // yauzl refuses more bytes than the entry says.
      try {
        for await (const part of stream) parts.push(part as Buffer);
      } catch {
        throw damaged();
      }
      return Buffer.concat(parts);
    },
    close: async () => zip.close(),
  };
}

function entriesOf(zip: yauzl.ZipFile, path: string): Promise<Map<string, yauzl.Entry>> {
  return new Promise((resolve, reject) => {
    const entries = new Map<string, yauzl.Entry>();
    zip.on('entry', (entry: yauzl.Entry) => {
      if (!entry.fileName.endsWith('/')) entries.set(entry.fileName, entry);
      if (entries.size > FILES_MAX) reject(new LineProblem(`The zip file has more than ${FILES_MAX} files.`));
      else zip.readEntry();
    });
    zip.on('end', () => resolve(entries));
    zip.on('error', () => reject(notZip(path)));
    zip.readEntry();
  });
}
