/** Builds what the Dockerfile builds, step by step, in folders: there is no Docker where the tests run. */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../support/builds/viteBuild.ts';

const run = promisify(execFile);

export interface Instruction {
  readonly name: string;
  readonly args: string;
}

/** The instructions of a Dockerfile, without comments, each on one line. */
const instructionsOf = (text: string): Instruction[] =>
  text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, name = '', args = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
      return { name, args };
    });

/** The paths that `.dockerignore` lets into the build: everything is refused, and these are named. */
async function contextPaths(): Promise<string[]> {
  const [first, ...rest] = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).trim().split('\n');
  if (first !== '*' || rest.some((line) => !line.startsWith('!'))) {
    throw new Error('.dockerignore must refuse everything, and then name what is needed.');
  }
  return rest.map((line) => line.slice(1));
}

export interface Image {
  /** The folder that is `/` in the image. */
  readonly root: string;
  readonly instructions: readonly Instruction[];
}

export interface BuildImageOptions {
  readonly directory: string;
  /** Does what `npm ci` with these options does, in a folder with the package files. */
  readonly install: (folder: string, options: readonly string[]) => Promise<void>;
}

/** Returns the last stage. Rejects at an instruction that this does not know. */
export async function buildImage({ directory, install }: BuildImageOptions): Promise<Image> {
  const instructions = instructionsOf(await readFile(join(ROOT, 'Dockerfile'), 'utf8'));
  const stages = new Map<string, string>();
  const allowed = await contextPaths();
  let root = '';
  let folder = '/';
  let own: Instruction[] = [];
  for (const instruction of instructions) {
    const { name, args } = instruction;
    const words = args.split(' ');
    if (name === 'FROM') {
      const stage = words[2] ?? 'last';
      root = join(directory, stage);
      await mkdir(root);
      stages.set(stage, root);
      own = [];
    } else if (name === 'WORKDIR') {
      folder = args;
      await mkdir(join(root, folder), { recursive: true });
    } else if (name === 'COPY') {
      const from = /^--from=(\S+)$/.exec(words[0] ?? '')?.[1];
      const sources = words.slice(from === undefined ? 0 : 1, -1);
      const to = words.at(-1) ?? '';
      for (const source of sources) {
        const stage = from === undefined ? undefined : stages.get(from);
        if (stage === undefined && !allowed.includes(source)) {
          throw new Error(`.dockerignore does not let ${source} into the build.`);
        }
        const target = join(root, folder, to);
        await cp(join(stage ?? ROOT, source), to.endsWith('/') ? join(target, basename(source)) : target, {
          recursive: true,
          verbatimSymlinks: true,
        });
      }
    } else if (name === 'RUN') {
      await runStep(args, { root, folder, install });
    } else if (!['ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD'].includes(name)) {
      throw new Error(`The test does not know ${name} of the Dockerfile.`);
    }
    own.push(instruction);
  }
  return { root, instructions: own };
}

interface Step extends Pick<BuildImageOptions, 'install'> {
  readonly root: string;
  readonly folder: string;
}

async function runStep(command: string, { root, folder, install }: Step): Promise<void> {
  const cwd = join(root, folder);
  for (const part of command.split(' && ')) {
    const [program, ...args] = part.split(' ');
    if (program === 'npm' && args[0] === 'ci') await install(cwd, args.slice(1));
    else if (program === 'npm') {
      await run('npm', args, { cwd, env: { ...process.env, NODE_ENV: 'production' } });
    } else if (program === 'ln' && args[0] === '-s') {
      const [, target = '', link = ''] = args;
      await mkdir(join(root, dirname(link)), { recursive: true });
      await symlink(join(root, target), join(root, link));
    } else throw new Error(`The test does not know how to run ${part}.`);
  }
}
