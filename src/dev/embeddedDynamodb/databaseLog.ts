/**
 * Whether the write-ahead log of a SQLite file is whole. SQLite reads a log up to the first frame that is damaged or
 * missing and drops the rest without an error, so a server would start with less than it has acknowledged. How many
 * frames there were is in the log's index (`-shm`), which outlives a process that is killed. An index that is missing or
 * damaged itself says nothing: SQLite makes a new one from the log. The formats: https://sqlite.org/walformat.html
 */
import { readFile, stat } from 'node:fs/promises';

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The header's magic number. Its last bit says whether sums are of big-endian words. */
const LOG_MAGIC = 0x377f0682;
const INDEX_HEADER_BYTES = 48;
const SUM_AT = 24;

type Sum = readonly [number, number];

export interface LogProblem {
  readonly what: string;
  /** The files to delete, so that the database starts with all that can be read. */
  readonly useless: readonly string[];
}

/** Node reads at most 2 GiB at once. A log becomes that long only while a transaction is open for long. */
const CHECKED_BYTES = 2 ** 30;

/**
 * What is wrong with the log of this database file. Undefined: nothing, or it is too long to check. Reads the whole log,
 * usually at most 4 MB.
 */
export async function logProblem(file: string): Promise<LogProblem | undefined> {
  const path = `${file}-wal`;
  const index = `${file}-shm`;
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > CHECKED_BYTES) return undefined;
  const log = await contentOf(path);
  const expected = framesInIndex(await contentOf(index));
  // Without its index SQLite reads the log again, as far as it is whole.
  if (log.length === 0) {
    return expected === 0 ? undefined : { what: `its log ${path} is missing`, useless: [index] };
  }
  const frames = validFrames(log);
  if (frames === undefined) return { what: `its log ${path} is damaged`, useless: [path, index] };
  if (frames >= expected) return undefined;
  return { what: `its log ${path} ends after ${frames} of ${expected} pages`, useless: [index] };
}

const contentOf = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });

/** The number of frames in the log when a process used it last. 0 if the index does not say. */
function framesInIndex(index: Buffer): number {
  const header = index.subarray(0, INDEX_HEADER_BYTES);
  const copy = index.subarray(INDEX_HEADER_BYTES, 2 * INDEX_HEADER_BYTES);
  // There are two copies, and they differ if the process was killed while it wrote them.
  if (header.length < INDEX_HEADER_BYTES || !header.equals(copy)) return 0;
  const [first, second] = sumOf(header.subarray(0, 40), [0, 0], false);
  const isValid = header.readUInt32LE(40) === first && header.readUInt32LE(44) === second;
  return isValid && header[12] === 1 ? header.readUInt32LE(16) : 0;
}

/** How many frames from the first one on are whole. Undefined if the log's header is damaged. */
function validFrames(log: Buffer): number | undefined {
  if (log.length < LOG_HEADER_BYTES) return undefined;
  const magic = log.readUInt32BE(0);
  if (magic !== LOG_MAGIC && magic !== LOG_MAGIC + 1) return undefined;
  const isBig = magic !== LOG_MAGIC;
  let sum = sumOf(log.subarray(0, SUM_AT), [0, 0], isBig);
  if (!isSum(log, SUM_AT, sum)) return undefined;
  const salt = log.subarray(16, 24);
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8);
  let frames = 0;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes, frames++) {
    // Frames of an earlier use of the log may follow.
    if (!log.subarray(at + 8, at + 16).equals(salt)) break;
    sum = sumOf(log.subarray(at, at + 8), sum, isBig);
    sum = sumOf(log.subarray(at + FRAME_HEADER_BYTES, at + frameBytes), sum, isBig);
    if (!isSum(log, at + 16, sum)) break;
  }
  return frames;
}

/** The sums themselves are always big-endian. */
const isSum = (log: Buffer, at: number, [first, second]: Sum): boolean =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;

/** SQLite's sum of pairs of 32-bit words. */
function sumOf(bytes: Buffer, [first, second]: Sum, isBig: boolean): Sum {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + view.getUint32(at, !isBig) + second) >>> 0;
    second = (second + view.getUint32(at + 4, !isBig) + first) >>> 0;
  }
  return [first, second];
}
