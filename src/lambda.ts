/**
 * The two functions as AWS Lambda calls them: `lambda.handler`, the stream consumer, and `lambda.timers`, which a
 * schedule starts every minute. stream/lambda.ts describes the settings of the event source mapping,
 * app/functionParts.ts and app/functionSecrets.ts the environment.
 */
import { withSecrets } from './app/functionSecrets.ts';
import { createStreamFunction, type StreamFunction } from './app/streamFunction.ts';
import { createTimersFunction, type TimersFunction } from './app/timersFunction.ts';
import type { Environment } from './variables.ts';

/**
 * The environment with the settings of the secret. OpenTelemetry reads the headers of its requests from the process
 * itself.
 */
async function configured(): Promise<Environment> {
  const environment = await withSecrets(process.env);
  const { OTEL_EXPORTER_OTLP_HEADERS: headers } = environment;
  if (headers !== undefined) process.env.OTEL_EXPORTER_OTLP_HEADERS = headers;
  return environment;
}

// Created once, and reused by later calls for as long as Lambda keeps the process. If that fails, the next call tries
// again.
let stream: StreamFunction | undefined;
let timersFunction: TimersFunction | undefined;

export const handler: StreamFunction['handler'] = async (event, context) => {
  stream ??= await createStreamFunction(await configured());
  return stream.handler(event, context);
};

export const timers: TimersFunction['handler'] = async (event, context) => {
  timersFunction ??= await createTimersFunction(await configured());
  return timersFunction.handler(event, context);
};
