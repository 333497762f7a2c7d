/**
 * The stream consumer as AWS Lambda calls it: `lambda.handler`. stream/lambda.ts describes the settings of the event
 * source mapping, app/streamFunction.ts the environment.
 */
import { createStreamFunction, type StreamFunction } from './app/streamFunction.ts';

let running: StreamFunction | undefined;

export const handler: StreamFunction['handler'] = async (event, context) => {
  // Created once, and reused by later calls for as long as Lambda keeps the process.
  running ??= createStreamFunction(process.env);
  return running.handler(event, context);
};
