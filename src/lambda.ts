/**
 * The two functions as AWS Lambda calls them: `lambda.handler`, the stream consumer, and `lambda.timers`, which a
 * schedule starts every minute. stream/lambda.ts describes the settings of the event source mapping,
 * app/functionParts.ts and app/functionSecrets.ts the environment.
 */
import { withSecrets } from './app/functionSecrets.ts';
import { createStreamFunction, type StreamFunction } from './app/streamFunction.ts';
import { createTimersFunction, type TimersFunction } from './app/timersFunction.ts';

// Created once, and reused by later calls for as long as Lambda keeps the process.
let stream: StreamFunction | undefined;
let timersFunction: TimersFunction | undefined;

export const handler: StreamFunction['handler'] = async (event, context) => {
  stream ??= createStreamFunction(await withSecrets(process.env));
  return stream.handler(event, context);
};

export const timers: TimersFunction['handler'] = async (event, context) => {
  timersFunction ??= createTimersFunction(await withSecrets(process.env));
  return timersFunction.handler(event, context);
};
