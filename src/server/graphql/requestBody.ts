import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { ServerLimits } from '../limits.ts';

/** An error that Yoga turns into an HTTP response with this status. */
export const httpError = (status: number, message: string, headers: Record<string, string> = {}) =>
  new GraphQLError(message, { extensions: { http: { status, headers } } });

/**
 * Reads a request's body, chunked or not, as JSON. It reads from the socket, because Yoga's web streams cost more than
 * the parsing. Rejects with 413 if the body is too large. The rest of it is read and discarded up to a bound: if the
 * connection was closed while the client is sending, it would be reset, and the client would not receive the response.
 */
export async function readJson(incoming: IncomingMessage, limits: ServerLimits): Promise<unknown> {
  const bytes = await readBytes(incoming, limits);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw httpError(400, 'The body is not JSON in UTF-8.');
  }
}

function readBytes(
  incoming: IncomingMessage,
  { bodyBytes, discardedBytes }: ServerLimits,
): Promise<Uint8Array> {
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
    // The client disconnected. After the end, a rejection has no effect.
    const disconnected = () => reject(httpError(400, 'The body ended early.'));
    incoming.on('error', disconnected);
    incoming.on('close', disconnected);
  });
}
