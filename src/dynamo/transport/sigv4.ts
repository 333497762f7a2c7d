import { createHmac, hash } from 'node:crypto';
import { secondsOf } from '../../core/timestamps.ts';

/** AWS Signature Version 4. https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html */

export interface SigningCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

export interface UnsignedRequest {
  /** Its path is absolute and normalized, and it has no query. */
  readonly path: string;
  /** All of them are signed. Names in lower case, `host` among them; values without outer or double spaces. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly credentials: SigningCredentials;
}

/** Returns a POST request's headers with the date, the session's token and the signature added. */
export type Signer = (request: UnsignedRequest) => Record<string, string>;

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** A signer for one region and service. It derives the signing key once a day, and for new credentials. */
export function createSigner(region: string, service: string): Signer {
  let derived: { readonly secret: string; readonly day: string; readonly key: Buffer } | undefined;

  function signingKey(secret: string, day: string): Buffer {
    if (derived?.secret !== secret || derived.day !== day) {
      const key = [day, region, service, 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`));
      derived = { secret, day, key };
    }
    return derived.key;
  }

  let last = { second: Number.NaN, text: '' };
  function timeOf(at: number): string {
    const second = secondsOf(at);
    if (last.second !== second) {
      last = { second, text: new Date(at).toISOString().replace(/[-:]|\.\d{3}/g, '') };
    }
    return last.text;
  }

  return ({ path, headers, body, at, credentials }) => {
    const { accessKeyId, secretAccessKey, sessionToken } = credentials;
    const time = timeOf(at);
    const day = time.slice(0, 8);
    const all: Record<string, string> = { 'x-amz-date': time, ...headers };
    if (sessionToken !== undefined) all['x-amz-security-token'] = sessionToken;

    const names = Object.keys(all).sort();
    const lines = names.map((name) => `${name}:${all[name]}\n`).join('');
    const signed = names.join(';');
    const canonical = `POST\n${escapedPath(path)}\n\n${lines}\n${signed}\n${hash('sha256', body)}`;
    const scope = `${day}/${region}/${service}/aws4_request`;
    const toSign = `${ALGORITHM}\n${time}\n${scope}\n${hash('sha256', canonical)}`;
    const signature = hmac(signingKey(secretAccessKey, day), toSign).toString('hex');
    all.authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
    return all;
  };
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Every segment is escaped once more than in the request, and more strictly. */
const escapedPath = (path: string): string =>
  path === '/'
    ? path
    : path
        .split('/')
        .map((segment) =>
          encodeURIComponent(segment).replace(
            /[!'()*]/g,
            (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
          ),
        )
        .join('/');
