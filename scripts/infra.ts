import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const infra = fileURLToPath(new URL('../infra', import.meta.url));

/** Whether the packages of infra/ are installed: `npm ci --prefix infra`. Only a deployment to AWS needs them. */
export const infraIsInstalled = (): boolean => existsSync(join(infra, 'node_modules', 'aws-cdk-lib'));
