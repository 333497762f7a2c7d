/**
 * Checks the types of infra/, if its packages are installed. With TESTS=all, as in CI, it is an error if they are not.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { infraIsInstalled } from './infra.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

if (infraIsInstalled()) {
  const { status } = spawnSync('npx', ['tsc', '-p', 'infra'], { cwd: root, stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  process.stdout.write(
    'The packages of infra/ are not installed, so it is not checked: npm ci --prefix infra\n',
  );
  if (process.env.TESTS === 'all') process.exitCode = 1;
}
