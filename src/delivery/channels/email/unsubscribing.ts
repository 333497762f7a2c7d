import { createHmac, timingSafeEqual } from 'node:crypto';
import { isId } from '../../../dynamo/keys.ts';
import type { Addresses } from './addresses.ts';

export type Unsubscribing = ReturnType<typeof createUnsubscribing>;

export interface UnsubscribingOptions {
  readonly secret: () => Promise<Uint8Array>;
  readonly addresses: Pick<Addresses, 'unsubscribe'>;
}

interface Link {
  readonly user: string;
  /** The address that the mail went to: see `addressId`. */
  readonly address: string;
}

export const UNSUBSCRIBE_PATH = '/unsubscribe';

/**
 * The links that end digests without signing in. A link is for one person and one address: it does nothing after the
 * person has another one. It has no end, because the link of an old mail must work.
 */
export function createUnsubscribing({ secret, addresses }: UnsubscribingOptions) {
  const signatureOf = async ({ user, address }: Link): Promise<Buffer> =>
    createHmac('sha256', await secret())
      .update(`unsubscribe\n${user}\n${address}`)
      .digest();

  /** What follows the path. */
  const sign = async (link: Link): Promise<string> =>
    [link.user, link.address, (await signatureOf(link)).toString('base64url')].join('.');

  /** Undefined if this system did not sign it. Reads nothing. */
  async function verify(signed: string): Promise<Link | undefined> {
    const [user = '', address = '', signature = '', ...more] = signed.split('.');
    if (!isId(user) || !isId(address) || !/^[\w-]{43}$/.test(signature) || more.length > 0) return undefined;
    const link = { user, address };
    const isOwn = timingSafeEqual(await signatureOf(link), Buffer.from(signature, 'base64url'));
    return isOwn ? link : undefined;
  }

  /** Resolves to false if this system did not sign it. Idempotent. One read, and one transaction if it ends digests. */
  async function unsubscribe(signed: string): Promise<boolean> {
    const link = await verify(signed);
    if (link === undefined) return false;
    await addresses.unsubscribe(link.user, link.address);
    return true;
  }

  return { sign, isValid: async (signed: string) => (await verify(signed)) !== undefined, unsubscribe };
}
