/**
 * Whether the write-ahead log of a SQLite file is whole. SQLite reads a log up to the first frame that is damaged or
 * missing and drops the rest without an error, so a server would start with less than it has acknowledged. How many
 * frames there were is in the log's index (`-shm`), which outlives a process that is killed. An index that is missing
 * or damaged itself says nothing: SQLite makes a new one from the log. The formats: https://sqlite.org/walformat.html
 */
import { readFile, stat } from 'node:fs/promises';

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** The header's magic number. Its last bit says whether sums are of big-endian words. */
const LOG_MAGIC = 0x377f0682;
const INDEX_HEADER_BYTES = 48;
const SUM_AT = 24;
/** `nBackfill` and `nBackfillAttempted`. */
const [COPIED_AT, COPYING_AT] = [96, 128];

type Sum = readonly [number, number];

export interface LogProblem {
  readonly what: string;
  /**
   * The files to delete, so that the database starts with all that can be read. Empty: the database's file is not whole
   * either.
   */
  readonly useless: readonly string[];
  /** Whether the database's file has all pages that the log had. */
  readonly isCopied: boolean;
}

/** Node reads at most 2 GiB at once. A log becomes that long only while a transaction is open for long. */
const CHECKED_BYTES = 2 ** 30;

/**
 * What is wrong with the log of this database file. Undefined: nothing, or it is too long to check. Reads the whole
 * log, usually at most 4 MB.
 */
export async function logProblem(file: string): Promise<LogProblem | undefined> {
  const path = `${file}-wal`;
  const index = `${file}-shm`;
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size > CHECKED_BYTES) return undefined;
  const log = await contentOf(path);
  const { frames: expected, copied, copying } = stateIn(await contentOf(index));
  if (log.length === 0 && expected === 0) return undefined;
  const frames = log.length === 0 ? 0 : validFrames(log);
  if (frames !== undefined && frames >= expected) return undefined;
  const whole = frames ?? 0;
  // Without its index SQLite reads the log again, as far as it is whole. Pages that the file has in a newer form would
  // be replaced by older ones. If it was being copied, the file has some of the lost pages.
  const isSafe = copying <= Math.max(copied, whole);
  const isOlder = frames === undefined || whole < copied;
  const useless = log.length > 0 && isOlder ? [path, index] : [index];
  return {
    what: `its log ${path} ${wrong(log, frames, expected)}`,
    useless: isSafe ? useless : [],
    isCopied: expected > 0 && copied >= expected,
  };
}

function wrong(log: Buffer, frames: number | undefined, expected: number): string {
  if (log.length === 0) return 'is missing';
  return frames === undefined ? 'is damaged' : `ends after ${frames} of ${expected} pages`;
}

const contentOf = (path: string): Promise<Buffer> =>
  readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });

/** What the index says of the log as it was when a process used it last. All are 0 if it does not say. */
interface IndexState {
  readonly frames: number;
  /** How many of the frames are in the database's file. */
  readonly copied: number;
  /** Up to which frame they were being copied when the process ended. */
  readonly copying: number;
}

function stateIn(index: Buffer): IndexState {
  const header = index.subarray(0, INDEX_HEADER_BYTES);
  const copy = index.subarray(INDEX_HEADER_BYTES, 2 * INDEX_HEADER_BYTES);
  const none = { frames: 0, copied: 0, copying: 0 };
  // There are two copies, and they differ if the process was killed while it wrote them.
  if (index.length < COPYING_AT + 4 || !header.equals(copy)) return none;
  const [first, second] = sumOf(header.subarray(0, 40), [0, 0], false);
  const isValid = header.readUInt32LE(40) === first && header.readUInt32LE(44) === second;
  if (!isValid || header[12] !== 1) return none;
  return {
    frames: header.readUInt32LE(16),
    copied: index.readUInt32LE(COPIED_AT),
    copying: index.readUInt32LE(COPYING_AT),
  };
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
