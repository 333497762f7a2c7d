import { ConfigError, loadConfig } from '../../../src/config.ts';
import { newVapidKey } from '../../../src/core/vapidKeys.ts';
import type { Environment } from '../../../src/variables.ts';

export const SECRET = 'a secret of thirty-two bytes or more';
/** A new one in each run. */
export const VAPID_KEY = newVapidKey().toString('base64url');
export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(24, 'webhook').toString('base64')}`;

/** What `loadConfig` says about an environment; empty if nothing is wrong. */
export function problemsOf(environment: Environment): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}
