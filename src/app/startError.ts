import type { Config } from '../config.ts';
import { OutageError, StartError } from '../core/errors.ts';
import { ForeignTable } from '../dynamo/ensureTable.ts';
import { isOutage, refusalIn } from '../dynamo/errors.ts';

/**
 * Why the table could not be opened, created or used by a start, in terms of the configuration. A bug is returned
 * unchanged.
 */
export function databaseError(error: unknown, dynamodb: Config['dynamodb']): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof ForeignTable) return new StartError(error.message, { cause: error });
  const [where, advice] = descriptionOf(dynamodb);
  const reason = error instanceof OutageError && error.cause instanceof Error ? error.cause : error;
  const { name, message } = reason;
  const startError = (text: string) => new StartError(text, { cause: error });
  if (name === 'CredentialsProviderError') {
    return startError(`There are no AWS credentials for ${where}: ${message}`);
  }
  if (refusalIn(error) !== undefined || (reason === error && '$fault' in error && !isOutage(error))) {
    return startError(`${where} refuses the request: ${name}: ${message}`);
  }
  if (error instanceof OutageError || isOutage(error)) {
    return startError(`${where} does not respond (${codeOf(reason)}). ${advice}`);
  }
  return error;
}

export interface OutageOptions extends Pick<Config, 'dynamodb' | 'tableName'> {
  /** A sentence: what the command has changed, or that it has changed nothing. */
  readonly outcome: string;
}

/**
 * Why a command failed, if the database does not respond while it works, or refuses this process. Any other error is
 * returned unchanged.
 */
export function outageError(error: unknown, { dynamodb, tableName, outcome }: OutageOptions): unknown {
  if (!(error instanceof OutageError || refusalIn(error) !== undefined)) return error;
  const why = databaseError(error, dynamodb);
  if (!(why instanceof StartError)) return error;
  // What DynamoDB says often has no full stop.
  const reason = why.message.replace(/\.?$/, '.');
  return new StartError(`${reason} The table was ${tableName}. ${outcome}`, { cause: error });
}

/** `ECONNREFUSED`, or the name of the error. */
export const codeOf = (error: Error): string =>
  'code' in error && typeof error.code === 'string' ? error.code : error.name;

interface ListenAddress {
  /** The name of the port's setting. */
  readonly setting: 'PORT' | 'METRICS_PORT' | '--metrics-port';
  readonly host: string;
  readonly port: number | undefined;
}

/** Why the port could not be bound. An unknown error is returned unchanged. */
export function listenError(error: unknown, { setting, host, port }: ListenAddress): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const startError = (text: string) => new StartError(text, { cause: error });
  switch (code) {
    case 'EADDRINUSE':
      return startError(
        `Port ${port} of ${host} is in use. Set ${setting} to another one; 0 takes any free port.`,
      );
    case 'EACCES':
      return startError(`This user may not listen on port ${port}. Set ${setting} to a number above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return startError(`HOST ${host} is not an address of this machine.`);
    default:
      return error;
  }
}

/** The configured DynamoDB without secrets that its URL may contain, and what to do if it does not respond. */
function descriptionOf(dynamodb: Config['dynamodb']): [where: string, advice: string] {
  switch (dynamodb.kind) {
    case 'endpoint':
      return [
        `DynamoDB at ${new URL(dynamodb.endpoint).origin}`,
        'Is it running at DYNAMODB_ENDPOINT? Unset the variable to use the embedded one.',
      ];
    case 'aws':
      return [`DynamoDB in ${dynamodb.region}`, 'Can this machine reach AWS? AWS_REGION is the region.'];
    case 'embedded':
      return ['The embedded DynamoDB', 'Its log (LOG_LEVEL=debug) may say why.'];
  }
}
