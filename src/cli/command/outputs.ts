import { fileReason } from '../../core/fileErrors.ts';

let isClosed = false;
let failure: Error | undefined;

/**
 * Handles what goes wrong with standard output and standard error: without a handler, that would end the process, even
 * in the middle of its work. Call it once.
 *
 * A reader that has closed its end of standard output (`… | head`) has seen enough, so nothing is said. If the output
 * cannot be written, that is said once, and the exit code is 1. What cannot be written to standard error is lost, and
 * there is no place to say so. In all three cases the command goes on: most have done their work when they print.
 */
export function watchOutputs(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') isClosed = true;
    else if (failure === undefined) {
      failure = error;
      process.exitCode = 1;
      process.stderr.write(`Standard output cannot be written: ${fileReason(error) ?? error.message}.\n`);
    }
  });
  process.stderr.on('error', () => {});
}

/** Whether no one reads standard output any more. A command that only shows something ends then. */
export const isOutputClosed = (): boolean => isClosed;

/** Whether it is the error of standard output that the user knows of. */
export const isReported = (error: unknown): boolean => failure !== undefined && error === failure;
