/**
 * The stream consumer as AWS Lambda calls it: `lambda.handler`. How the event source mapping is to be set
 * is told in stream/lambda.ts, what the environment may say in app/streamFunction.ts.
 */
import { createStreamFunction, type StreamFunction } from './app/streamFunction.ts';

let running: StreamFunction | undefined;

export const handler: StreamFunction['handler'] = async (event, context) => {
  // Made once, and kept from call to call for as long as Lambda keeps the process.
  running ??= createStreamFunction(process.env);
  return running.handler(event, context);
};
