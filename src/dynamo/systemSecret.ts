import { randomBytes } from 'node:crypto';
import type { Dynamo } from './dynamo.ts';
import { ifConditionHolds } from './errors.ts';
import { keys } from './keys.ts';
import { FIRST_SHAPE } from './shapes.ts';

const BYTES = 32;

/**
 * A secret that all processes of a system have, made by the first one that needs it. Each use has its own. One read in
 * the life of a process; one write in the life of the table.
 */
export function createSystemSecret(
  dynamo: Pick<Dynamo, 'get' | 'put'>,
  name: string,
): () => Promise<Uint8Array> {
  const key = keys.secret(name);
  let loaded: Promise<Uint8Array> | undefined;

  async function load(): Promise<Uint8Array> {
    const stored = (await dynamo.get(key))?.secret;
    if (stored !== undefined) return Buffer.from(stored as string, 'base64url');
    const secret = randomBytes(BYTES).toString('base64url');
    const made = { ...key, v: FIRST_SHAPE, secret };
    await ifConditionHolds(dynamo.put(made, { condition: 'attribute_not_exists(pk)' }));
    // Another process may have made it.
    return load();
  }

  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
