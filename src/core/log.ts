import { createRequire } from 'node:module';
import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino';
import { defined } from './defined.ts';

export type Log = Logger;

/**
 * The part of the logger that most parts use. An `err` in the fields is written without what its message may quote: see
 * `errorFields`.
 */
export type OutageLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

export interface LogOptions {
  readonly level: (typeof LOG_LEVELS)[number];
  /** For people at a terminal: coloured lines, if pino-pretty is installed (a development dependency). */
  readonly pretty?: boolean;
  /** The destination of the lines. Default: standard error, which keeps standard output for results. */
  readonly to?: DestinationStream;
}

/** Never in a log, even if they are passed to it by mistake: credentials, and what users wrote. */
const HIDDEN = ['authorization', 'token', 'connectionParams', 'variables', 'body', 'query'];
const STANDARD_ERROR = 2;

/** The program's logger: JSON lines. An `err` is written as `errorFields` says, without what it quotes. */
export function createLog({ level, pretty = false, to }: LogOptions): Log {
  const options: LoggerOptions = {
    level,
    base: null,
    redact: { paths: HIDDEN.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    serializers: { err: errorFields },
  };
  if (to !== undefined) return pino(options, to);
  if (pretty && isInstalled('pino-pretty')) {
    const target = { target: 'pino-pretty', options: { destination: STANDARD_ERROR } };
    return pino({ ...options, transport: target });
  }
  return pino(options, standardError());
}

/** Characters of lines that wait while they cannot be written. Those that come after are lost. */
const WAITING_MAX = 1_000_000;

/**
 * A disk that is full costs lines of the log, and nothing else. Without a listener, an error of this stream would end
 * the program; and when a process exits, the stream repeats what cannot be written without end, so it would neither
 * serve nor end.
 */
function standardError(): DestinationStream {
  const stream = destination({ fd: STANDARD_ERROR, sync: false, maxLength: WAITING_MAX });
  const flush = stream.flushSync.bind(stream);
  stream.on('error', () => {
    stream.flushSync = () => {};
  });
  stream.on('write', () => {
    stream.flushSync = flush;
  });
  return stream;
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

const FRAMES_MAX = 12;
const CAUSES_MAX = 3;

export interface ErrorFields {
  readonly error: string;
  readonly message?: string;
  readonly code?: string;
  readonly at?: readonly string[];
  readonly cause?: ErrorFields;
}

/**
 * The parts of an error that a log may contain: name, code, place and causes. The message only if it describes
 * the program and not data: a parser, a serializer or a failed condition may quote what users wrote.
 */
export function errorFields(error: unknown, causes = CAUSES_MAX): ErrorFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return defined({
    error: error.name,
    message: isAboutProgram(error) ? error.message : undefined,
    code: 'code' in error && typeof error.code === 'string' ? error.code : undefined,
    at: frames.length === 0 ? undefined : frames.slice(0, FRAMES_MAX).map((line) => line.trim()),
    cause: error.cause === undefined || causes === 0 ? undefined : errorFields(error.cause, causes - 1),
  });
}

const ABOUT_PROGRAM = new Set([
  'TypeError',
  'ReferenceError',
  'RangeError',
  'TsudoiError',
  'OutageError',
  'ContentionError',
  'OverloadError',
  'TransactionConflicted',
  'ConfigError',
]);

/** The engine's own errors, our deliberate ones, the system's (`ECONNREFUSED` …) and AWS' (they have `$fault`). */
const isAboutProgram = (error: Error) =>
  ABOUT_PROGRAM.has(error.name) || 'syscall' in error || '$fault' in error;
