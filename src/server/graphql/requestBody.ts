import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { Limits } from '../limits.ts';

/** An answer instead of a result, in the form that Yoga turns into an HTTP response. */
export const httpError = (status: number, message: string, headers: Record<string, string> = {}) =>
  new GraphQLError(message, { extensions: { http: { status, headers } } });

/**
 * Reads a request's body, chunked or not, as JSON: straight from the socket, for a pipeline of web streams
 * in between costs more than the parsing. Rejects with 413 for one that is too large; what still comes of
 * it is thrown away up to a bound, because a connection that is closed while its client is sending is
 * reset, and the client would never read the answer.
 */
export async function readJson(incoming: IncomingMessage, limits: Limits): Promise<unknown> {
  const bytes = await readBytes(incoming, limits);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw httpError(400, 'The body is not JSON in UTF-8.');
  }
}

function readBytes(incoming: IncomingMessage, { bodyBytes, discardedBytes }: Limits): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    const tooLarge = () => {
      const error = httpError(413, `The body is larger than ${bodyBytes} bytes.`, { connection: 'close' });
      reject(error);
    };
    incoming.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bodyBytes) chunks.push(chunk);
      else chunks = [];
      if (length > bodyBytes + discardedBytes) {
        incoming.pause();
        tooLarge();
      }
    });
    incoming.on('end', () => (length > bodyBytes ? tooLarge() : resolve(Buffer.concat(chunks))));
    // Its sender is gone, or about to be: nobody's fault here.
    const gone = () => reject(httpError(400, 'The body ended early.'));
    incoming.on('error', gone);
    incoming.on('close', gone);
  });
}
