/**
 * A push service on loopback, and browsers. It checks VAPID tokens and decrypts payloads with nothing but Node's
 * primitives, from the texts of RFC 8188, 8291 and 8292.
 */
import { createDecipheriv, createHmac, createPublicKey, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserKeys, newBrowser, newBrowserKeys } from './browser.ts';

export interface Push {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly vapid: { readonly aud: string; readonly exp: number; readonly sub: string };
  /** The public key that signed the token. */
  readonly key: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The length of the decrypted payload. */
  readonly bytes: number;
}

/** How the service responds. `hang`: never. */
export type Response =
  | 'hang'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: Buffer };

export interface PushService {
  readonly origin: string;
  /** A browser that has subscribed here. */
  subscribe(): Browser;
  /** Every push that arrived. */
  readonly pushes: readonly Push[];
  /** Resolves when this many pushes have arrived. */
  arrived(count: number): Promise<readonly Push[]>;
  /** From now on. Default: 201. */
  respond(response: (push: Push) => Response): void;
  /** How many requests hang, and how many that did were given up by the sender. */
  held(): { readonly now: number; readonly givenUp: number };
  /** Ends the requests that hang. */
  release(): void;
  stop(): Promise<void>;
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, BrowserKeys>();
  const pushes: Push[] = [];
  const hanging = new Set<ServerResponse>();
  let respond: (push: Push) => Response = () => ({ status: 201 });
  let listeners: Array<() => void> = [];
  let origin = '';
  let givenUp = 0;

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const browser = browsers.get(path);
      if (browser === undefined) return void response.writeHead(404).end();
      let push: Push;
      try {
        const plain = decrypt(Buffer.concat(chunks), browser);
        push = {
          path,
          headers: request.headers,
          bytes: plain.length,
          ...checkVapid(request.headers.authorization ?? '', origin),
          payload: JSON.parse(plain.toString()) as Push['payload'],
        };
      } catch (error) {
        return void response.writeHead(400).end(String(error));
      }
      pushes.push(push);
      for (const listener of listeners.splice(0)) listener();
      const how = respond(push);
      if (how === 'hang') {
        hanging.add(response);
        response.once('close', () => {
          if (hanging.delete(response)) givenUp++;
        });
      } else response.writeHead(how.status, how.headers).end(how.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    pushes,
    subscribe() {
      const browserKeys = newBrowserKeys();
      const path = `/push/${randomBytes(12).toString('hex')}`;
      browsers.set(path, browserKeys);
      return newBrowser(`${origin}${path}`, browserKeys);
    },
    async arrived(count) {
      while (pushes.length < count) {
        await new Promise<void>((resolve) => {
          listeners = [...listeners, resolve];
        });
      }
      return pushes;
    },
    respond(response) {
      respond = response;
    },
    held: () => ({ now: hanging.size, givenUp }),
    release() {
      for (const response of hanging) response.writeHead(201).end();
      hanging.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const hmac = (key: Buffer, data: Buffer): Buffer => createHmac('sha256', key).update(data).digest();
const ascii = (text: string): Buffer => Buffer.from(text, 'latin1');

/** RFC 8291, section 3.4, and RFC 8188, section 2. */
function decrypt(body: Buffer, { ecdh, auth }: BrowserKeys): Buffer {
  const salt = body.subarray(0, 16);
  const recordSize = body.readUInt32BE(16);
  const idLength = body.readUInt8(20);
  const senderKey = body.subarray(21, 21 + idLength);
  const record = body.subarray(21 + idLength);
  if (record.length > recordSize) throw new Error('A push has one record.');
  const shared = ecdh.computeSecret(senderKey);
  const info = Buffer.concat([ascii('WebPush: info\0'), ecdh.getPublicKey(), senderKey, Buffer.from([1])]);
  const inputKey = hmac(hmac(auth, shared), info);
  const pseudoRandom = hmac(salt, inputKey);
  const key = hmac(pseudoRandom, ascii('Content-Encoding: aes128gcm\0\x01')).subarray(0, 16);
  const nonce = hmac(pseudoRandom, ascii('Content-Encoding: nonce\0\x01')).subarray(0, 12);
  const cipher = createDecipheriv('aes-128-gcm', key, nonce);
  cipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('Wrong padding.');
  return padded.subarray(0, end);
}

/** RFC 8292, sections 2 and 3. */
function checkVapid(authorization: string, origin: string): Pick<Push, 'vapid' | 'key'> {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  const [header = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(key, 'base64url');
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  });
  const isSigned = verify(
    'sha256',
    ascii(`${header}.${claims}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  const vapid = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Push['vapid'];
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg: string };
  const hoursLeft = vapid.exp / 3_600 - Date.now() / 3_600_000;
  if (!isSigned || alg !== 'ES256') throw new Error('The token is not signed by the key.');
  if (vapid.aud !== origin || hoursLeft > 24) throw new Error('The token is not for this service.');
  return { vapid, key };
}
