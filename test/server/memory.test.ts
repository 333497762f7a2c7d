import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

test('watchMemory: says that memory is low before the heap is exhausted, and garbage is not counted', async () => {
  const script = fileURLToPath(new URL('support/fillMemory.ts', import.meta.url));
  const args = ['--max-old-space-size=96', '--import', 'tsx', script];
  await expect(promisify(execFile)(process.execPath, args)).resolves.toMatchObject({ stderr: '' });
});
