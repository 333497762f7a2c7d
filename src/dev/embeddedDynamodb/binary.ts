import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StartError } from '../../core/errors.ts';

export interface Platform {
  /** As in `process.platform` and `process.arch`. */
  readonly platform: string;
  readonly arch: string;
}

/** What to do if the embedded database does not run: the end of its error messages. */
export const ALTERNATIVES =
  'Set DYNAMODB_ENDPOINT to the address of another DynamoDB, or run everything in containers: docker compose up';

/**
 * The path of the embedded database's program. It is an optional dependency: npm installs the one for this machine,
 * if there is one. Throws `StartError`.
 */
export function findBinary({ platform, arch }: Platform = process): string {
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), 'dynoxide');
    accessSync(binary, constants.X_OK);
    return binary;
  } catch (cause) {
    throw new StartError(
      `There is no embedded DynamoDB for this machine (${name} is not installed). ${ALTERNATIVES}`,
      { cause },
    );
  }
}
