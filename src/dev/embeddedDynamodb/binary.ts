import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedUnavailable } from './unavailable.ts';

export interface Platform {
  /** As in `process.platform` and `process.arch`. */
  readonly platform: string;
  readonly arch: string;
}

export const INSTEAD =
  'Set DYNAMODB_ENDPOINT to the address of another DynamoDB, or run it all in containers: docker compose up';

/**
 * The path of the embedded database's program, which comes as an optional dependency: npm installs the
 * one that fits the machine, or none. Throws `EmbeddedUnavailable`.
 */
export function findBinary({ platform, arch }: Platform = process): string {
  const name = `@dynoxide/${platform}-${arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const binary = join(dirname(manifest), 'dynoxide');
    accessSync(binary, constants.X_OK);
    return binary;
  } catch (cause) {
    throw new EmbeddedUnavailable(
      `There is no embedded DynamoDB for this machine (${name} is not installed). ${INSTEAD}`,
      { cause },
    );
  }
}
