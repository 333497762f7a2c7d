import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { isHere } from '../../support/machine/needs.ts';

export const hasPython = isHere('Python 3', spawnSync('python3', ['--version']).status === 0);

export const PYTHON_RECIPE = fileURLToPath(new URL('../recipes/tsudoi.py', import.meta.url));
