/** A function as AWS calls it: a process with the build, its environment, and what it logs. */
import { onTestFinished } from 'vitest';
import { buildFunctions } from '../../support/builds/functions.ts';
import { runProgram } from '../../support/servers/program.ts';

/** What is left of their time. Two seconds of it are for timers, one if there are traces. */
const REMAINING_MS = { handler: 60_000, timers: 37_000 } as const;

/** Calls a function once, and ends. */
const scriptOf = (name: keyof typeof REMAINING_MS) => `
  import { ${name} as call } from './lambda.mjs';
  const context = { getRemainingTimeInMillis: () => ${REMAINING_MS[name]} };
  try {
    await call({ Records: [] }, context);
    process.exitCode = 0;
  } catch (error) {
    process.stdout.write(error.message);
    process.exitCode = 1;
  }
  // The log is written in the background.
  setTimeout(() => process.exit(), 100);
`;

/** Resolves when the call has ended, with the lines of its log. */
export async function callFunction(name: keyof typeof REMAINING_MS, env: Readonly<Record<string, string>>) {
  const called = await runProgram({
    command: [process.execPath, '--input-type=module', '-e', scriptOf(name)],
    cwd: await buildFunctions(),
    env,
  });
  onTestFinished(() => called.stop());
  const ended = await called.ended;
  const { stdout, stderr } = called;
  const lines = stderr.split('\n').flatMap((line): Array<Record<string, unknown>> => {
    return line.startsWith('{') ? [JSON.parse(line)] : [];
  });
  return { ...ended, stdout, stderr, lines };
}
