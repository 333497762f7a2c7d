import type { Config } from '../config.ts';
import { StartError } from '../core/errors.ts';
import { isOutage } from '../dynamo/errors.ts';
import { ForeignTable } from '../dynamo/table.ts';

/** What kept the table from being found or made, in terms of the configuration. Faults of ours stay as they are. */
export function databaseError(error: unknown, dynamodb: Config['dynamodb']): unknown {
  if (!(error instanceof Error)) return error;
  if (error instanceof ForeignTable) return new StartError(error.message, { cause: error });
  const [where, instead] = place(dynamodb);
  const { name, message } = error;
  if (name === 'CredentialsProviderError') {
    return new StartError(`There are no AWS credentials for ${where}: ${message}`, { cause: error });
  }
  if (isOutage(error)) {
    const reason = 'code' in error && typeof error.code === 'string' ? error.code : name;
    return new StartError(`${where} does not answer (${reason}). ${instead}`, { cause: error });
  }
  if ('$fault' in error) return new StartError(`${where} refuses: ${name}: ${message}`, { cause: error });
  return error;
}

/** What kept the port from being bound. */
export function listenError(error: unknown, { host, port }: Pick<Config, 'host' | 'port'>): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const say = (text: string) => new StartError(text, { cause: error });
  switch (code) {
    case 'EADDRINUSE':
      return say(`Port ${port} of ${host} is taken. Set PORT to another one; 0 takes any that is free.`);
    case 'EACCES':
      return say(`This user may not listen on port ${port}. Set PORT to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return say(`HOST ${host} is no address of this machine.`);
    default:
      return error;
  }
}

/** Where DynamoDB should be, without what an address may hold of secrets; and what to do when it is not there. */
function place(dynamodb: Config['dynamodb']): [where: string, instead: string] {
  switch (dynamodb.kind) {
    case 'endpoint':
      return [
        `DynamoDB at ${new URL(dynamodb.endpoint).origin}`,
        'Is it running? DYNAMODB_ENDPOINT says where it is; unset it to use the embedded one.',
      ];
    case 'aws':
      return [`DynamoDB in ${dynamodb.region}`, 'Can this machine reach AWS? AWS_REGION says which region.'];
    case 'embedded':
      return ['The embedded DynamoDB', 'Its log (LOG_LEVEL=debug) may say why.'];
  }
}
