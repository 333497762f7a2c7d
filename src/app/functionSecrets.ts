import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { z } from 'zod';
import { ConfigError } from '../config.ts';
import type { Environment } from '../variables.ts';

/** The settings that a function may get from the secret. It has no use for others. */
const NAMES = ['VAPID_PRIVATE_KEY', 'WEBHOOKS', 'SMTP_URL', 'OTEL_EXPORTER_OTLP_HEADERS'] as const;

const Secret = z.object(Object.fromEntries(NAMES.map((name) => [name, z.string().optional()])));

/**
 * The environment of a function, with the settings of the secret that `SETTINGS_SECRET` names: a JSON object whose keys
 * are names of settings, as servers get them from their own environment. What is set there itself has precedence.
 * Without the variable it is unchanged. One request, when a function starts. Throws `ConfigError` if the secret has
 * another form, and rejects if it cannot be read; Lambda then starts the function again.
 */
export async function withSecrets(environment: Environment): Promise<Environment> {
  const { SETTINGS_SECRET: id, ...rest } = environment;
  if (id === undefined || id === '') return environment;
  const client = new SecretsManagerClient({});
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    return { ...parsed(SecretString), ...rest };
  } finally {
    client.destroy();
  }
}

function parsed(text: string): Environment {
  try {
    return Secret.parse(JSON.parse(text));
  } catch {
    // The parser's message quotes the secret.
    throw new ConfigError([`The secret must be a JSON object of texts, such as ${NAMES.join(' and ')}.`]);
  }
}
