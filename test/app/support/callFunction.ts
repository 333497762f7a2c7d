/** A function as AWS calls it: a process with the build, its environment, and what it logs. */
import { onTestFinished } from 'vitest';
import { buildFunctions } from '../../support/builds/functions.ts';
import { runProgram } from '../../support/servers/program.ts';

/** What is left of their time. Two seconds of it are for timers, one if there are traces. */
const REMAINING_MS = { handler: 60_000, timers: 37_000 } as const;

/**
 * Calls a function once, and ends as a frozen one that Lambda kills: nothing is written after the call. The one thread
 * that writes files is busy, so that a line that waits for it is lost.
 */
const scriptOf = (name: keyof typeof REMAINING_MS) => `
  import { pbkdf2 } from 'node:crypto';
  import { ${name} as call } from './lambda.mjs';
  const work = () => pbkdf2('', '', 20_000, 64, 'sha512', work);
  work();
  const context = { getRemainingTimeInMillis: () => ${REMAINING_MS[name]} };
  try {
    await call({ Records: [] }, context);
    process.kill(process.pid, 'SIGKILL');
  } catch (error) {
    process.stdout.write(error.message, () => process.exit(1));
  }
`;

/** Resolves when the call has ended, with the lines of its log. */
export async function callFunction(name: keyof typeof REMAINING_MS, env: Readonly<Record<string, string>>) {
  const called = await runProgram({
    command: [process.execPath, '--input-type=module', '-e', scriptOf(name)],
    cwd: await buildFunctions(),
    env: { ...env, UV_THREADPOOL_SIZE: '1' },
  });
  onTestFinished(() => called.stop());
  const ended = await called.ended;
  const { stdout, stderr } = called;
  const lines = stderr.split('\n').flatMap((line): Array<Record<string, unknown>> => {
    return line.startsWith('{') ? [JSON.parse(line)] : [];
  });
  return { ...ended, stdout, stderr, lines };
}
