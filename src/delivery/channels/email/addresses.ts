import type { Identity } from '../../../core/identity.ts';
import { idFrom } from '../../../core/ids.ts';
import { mailAddress } from '../../../core/mailConfig.ts';
import type { DeliverySettingsService } from '../../settings/deliverySettings.ts';
import type { VerifiedAddress } from '../../settings/settings.ts';

type Claims = Pick<Identity, 'email' | 'emailVerified' | 'issuedAt'>;

export type Addresses = ReturnType<typeof createAddresses>;

/** What endpoints and links have in place of an address. Another one for another person with the same address. */
export const addressId = (user: string, address: string): string => idFrom(`mail:${user}:${address}`);

/** Undefined unless the token says that the address is the person's. */
export function verifiedAddress(claims: Claims): VerifiedAddress | undefined {
  const { email = '', emailVerified, issuedAt = 0 } = claims;
  const address = emailVerified === true ? mailAddress(email) : undefined;
  return address === undefined ? undefined : { address, tokenAt: issuedAt };
}

/** What ends digests to an address, apart from its person's own choice. */
export function createAddresses({ revise }: Pick<DeliverySettingsService, 'revise'>) {
  /**
   * If a newer token has another address, or says that it is not verified, it is forgotten, also for older tokens. Many
   * access tokens say nothing about addresses: they read nothing. Otherwise one read.
   */
  async function follow(user: string, claims: Claims): Promise<void> {
    if (claims.email === undefined && claims.emailVerified === undefined) return;
    await revise(user, ({ email }) => {
      if (email === null) return null;
      const { issuedAt = Number.POSITIVE_INFINITY, email: said, emailVerified } = claims;
      const isSame = said === undefined || mailAddress(said) === email.address;
      if (issuedAt < email.tokenAt || (isSame && emailVerified !== false)) return null;
      return { email: null, emailForgottenAt: claims.issuedAt ?? null };
    });
  }

  /** The mail server does not know the address. Nothing is sent until the person chooses a digest again. */
  const refuse = (user: string, id: string, at: number) =>
    revise(user, ({ email }) =>
      email === null || addressId(user, email.address) !== id
        ? null
        : { email: null, emailDigest: 'NEVER', emailRefusedAt: at },
    );

  /** Idempotent. A link in a mail to an address that the person does not have any more does nothing. */
  const unsubscribe = (user: string, id: string) =>
    revise(user, ({ email }) =>
      email === null || addressId(user, email.address) !== id ? null : { email: null, emailDigest: 'NEVER' },
    );

  return { follow, refuse, unsubscribe };
}
