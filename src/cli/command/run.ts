import { codeOf } from '../../app/startError.ts';
import { ConfigError } from '../../config.ts';
import { OutageError, StartError, TsudoiError } from '../../core/errors.ts';
import { fileError } from '../../core/fileErrors.ts';
import { refusalIn } from '../../dynamo/errors.ts';
import { isReported, watchOutputs } from './outputs.ts';

/** One line that says what the user of the command has to change. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  /** The exit code of the process. */
  readonly exitCode: number;
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The user asked for the command's help. */
export class Usage extends Error {
  override readonly name = 'Usage';
}

/**
 * Runs a command. An error that the user can correct is printed as its message, any other with its stack. The exit code
 * is 1, unless a refusal has another one. What goes wrong with its outputs is handled as `watchOutputs` says.
 */
export async function run(main: () => Promise<void>): Promise<void> {
  watchOutputs();
  try {
    await main();
  } catch (error) {
    if (error instanceof Usage) {
      process.stdout.write(`${error.message}\n`);
      return;
    }
    if (!isReported(error)) process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = error instanceof Refusal ? error.exitCode : 1;
  }
}

function messageOf(error: unknown): string {
  const refusal = refusalIn(error);
  if (refusal !== undefined) return `DynamoDB refuses the request: ${refusal.name}: ${refusal.message}`;
  // What clients receive names no cause.
  if (error instanceof OutageError)
    return `DynamoDB does not respond${causeOf(error)}. Run this again when it does.`;
  return isPlain(error) ? error.message : described(error);
}

/** ` (ECONNREFUSED)`, or the name of the error. */
const causeOf = ({ cause }: OutageError): string => (cause instanceof Error ? ` (${codeOf(cause)})` : '');

const PLAIN = [Refusal, ConfigError, StartError, TsudoiError];

function isPlain(error: unknown): error is Error {
  const usage =
    error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  return usage || PLAIN.some((kind) => error instanceof kind);
}

const described = (error: unknown): string =>
  fileError(error)?.message ?? (error instanceof Error ? String(error.stack) : String(error));
