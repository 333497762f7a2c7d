import { createRequire } from 'node:module';
import { type DestinationStream, destination, type Logger, type LoggerOptions, pino } from 'pino';
import type { Config } from '../config.ts';

export type Log = Logger;

export interface LogOptions {
  readonly level: Config['logLevel'];
  /** For people at a terminal: coloured lines, where pino-pretty is installed (a development dependency). */
  readonly pretty?: boolean;
  /** Where the lines go; standard error by default, which leaves standard output to programs' answers. */
  readonly to?: DestinationStream;
}

/** Never in a log, wherever somebody may put them by mistake: credentials, and what people wrote. */
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
  return pino(options, destination({ fd: STANDARD_ERROR, sync: false }));
}

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    return false;
  }
}

const FRAMES = 12;
const CAUSES = 3;

export interface ErrorFields {
  readonly error: string;
  readonly message?: string;
  readonly code?: string;
  readonly at?: readonly string[];
  readonly cause?: ErrorFields;
}

/**
 * What a log may say of an error: its name, code, place and causes. Its message only where it speaks of
 * the program and not of data: a parser, a serializer or a refused condition may quote what people wrote.
 */
export function errorFields(error: unknown, causes = CAUSES): ErrorFields {
  if (!(error instanceof Error)) return { error: typeof error };
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at ')) ?? [];
  return {
    error: error.name,
    ...(speaksOfTheProgram(error) ? { message: error.message } : {}),
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(frames.length === 0 ? {} : { at: frames.slice(0, FRAMES).map((line) => line.trim()) }),
    ...(error.cause === undefined || causes === 0 ? {} : { cause: errorFields(error.cause, causes - 1) }),
  };
}

const OF_THE_PROGRAM = new Set([
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
const speaksOfTheProgram = (error: Error) =>
  OF_THE_PROGRAM.has(error.name) || 'syscall' in error || '$fault' in error;
