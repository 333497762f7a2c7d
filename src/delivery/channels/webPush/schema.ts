import { ECDH } from 'node:crypto';
import { z } from 'zod';
import { defined } from '../../../core/defined.ts';
import { badUserInput, notFound } from '../../../core/errors.ts';
import { type PushOrigin, pushOriginOf } from '../../../core/pushOrigins.ts';
import { builder } from '../../../graphql/builder.ts';
import { idOf } from '../../../graphql/ids.ts';
import { mutation } from '../../../graphql/mutation.ts';
import { text } from '../../../graphql/validation.ts';
import type { RevokedTokensCopy } from '../../../revocations/revokedTokens.ts';
import type { Channels } from '../channels.ts';
import { ENDPOINT_MAX, LABEL_MAX, normalEndpoint, SUBSCRIPTIONS_MAX } from './pushSubscription.ts';
import type { PushSubscriptions } from './pushSubscriptions.ts';
import { PushSubscriptionRef } from './types.ts';

declare module '../../../graphql/context.ts' {
  interface Services {
    readonly channels: Channels;
    readonly pushSubscriptions: PushSubscriptions;
    readonly revokedTokens: Pick<RevokedTokensCopy, 'whileValid'>;
  }
}

const DEFAULT_LABEL = 'Web browser';

const p256dh = z.string().refine(isPublicKey, {
  message: 'must be an uncompressed public key on P-256: 65 bytes in base64url.',
});
const auth = z.string().regex(/^[A-Za-z0-9_-]{21}[AQgw]$/, { message: 'must be 16 bytes in base64url.' });

function isPublicKey(value: string): boolean {
  if (!/^[A-Za-z0-9_-]{87}$/.test(value)) return false;
  try {
    // It throws if the point is not on the curve.
    ECDH.convertKey(value, 'prime256v1', 'base64url', 'base64url', 'uncompressed');
    return value.startsWith('B');
  } catch {
    return false;
  }
}

builder.queryField('webPushPublicKey', (t) =>
  t.string({
    nullable: true,
    description:
      'The key that a browser subscribes with (`applicationServerKey`): 65 bytes in base64url; null if Web Push is not set up.',
    resolve: async (_root, _args, { services }) =>
      (await services.channels.webPush?.vapid.publicKey()) ?? null,
  }),
);

mutation('registerPushSubscription', {
  description: `Registers a browser for deliveries to the viewer: what \`PushSubscription.toJSON()\` returns there. Call it again when the page opens: it renews the subscription. Above ${SUBSCRIPTIONS_MAX} the oldest is removed. A browser that another user has registered moves to the viewer if \`p256dh\` and \`auth\` are the same, and is \`NOT_FOUND\` otherwise. The subscription ends when the browser ends it, when it is removed, and when the token of the request is revoked. \`BAD_USER_INPUT\` for push services that the operator does not allow, and if Web Push is not set up. Idempotent.`,
  limit: 'profiles',
  input: (t) => ({
    endpoint: t.string({
      required: true,
      description: `The address of the browser at its push service: at most ${ENDPOINT_MAX} characters.`,
      validate: text({ characters: ENDPOINT_MAX }),
    }),
    p256dh: t.string({
      required: true,
      description: "The browser's public key on P-256: 65 bytes in base64url.",
      validate: p256dh,
    }),
    auth: t.string({
      required: true,
      description: 'The secret of the subscription: 16 bytes in base64url.',
      validate: auth,
    }),
    label: t.string({
      description: `A name of the device that its user recognizes: at most ${LABEL_MAX} characters on one line.`,
      validate: text({ characters: LABEL_MAX, name: true }),
    }),
  }),
  alsoWrong({ endpoint }, { services: { channels } }) {
    const { webPush } = channels;
    return webPush !== undefined && endpointOf(endpoint, webPush.origins) === undefined
      ? [wrongEndpoint()]
      : [];
  },
  resolve: async (viewer, { endpoint: text, label, ...keys }, { services, identity }) => {
    const { channels, pushSubscriptions } = services;
    const { webPush } = channels;
    if (webPush === undefined) throw badUserInput('input', 'This server does not send to browsers.');
    const key = await webPush.vapid.publicKey();
    const endpoint = endpointOf(text, webPush.origins);
    if (endpoint === undefined) throw wrongEndpoint();
    const { jti, issuedAt, expiresAt } = identity ?? {};
    return {
      pushSubscription: await pushSubscriptions.register(viewer, {
        endpoint,
        ...keys,
        key,
        label: label ?? DEFAULT_LABEL,
        token: {
          ...defined({ jti, issuedAt, expiresAt }),
        },
        ...(identity === null ? {} : { whileValid: () => services.revokedTokens.whileValid(identity) }),
      }),
    };
  },
  payload: (t) => ({
    pushSubscription: t.expose('pushSubscription', {
      type: PushSubscriptionRef,
      description: 'The browser, as it is registered now.',
    }),
  }),
});

/** The address in its one spelling. Undefined if it is not at one of these push services. */
function endpointOf(text: string, origins: readonly PushOrigin[]): string | undefined {
  const endpoint = normalEndpoint(text);
  return endpoint === undefined || pushOriginOf(endpoint, origins) === undefined ? undefined : endpoint;
}

const wrongEndpoint = () =>
  badUserInput('input.endpoint', '`input.endpoint` must be at a push service that the operator allows.');

mutation('removePushSubscription', {
  description: 'Ends deliveries to a browser. `NOT_FOUND` if it is not registered for the viewer.',
  limit: 'profiles',
  input: (t) => ({
    pushSubscriptionId: t.id({ required: true, description: "One of the viewer's push subscriptions." }),
  }),
  resolve: async (viewer, { pushSubscriptionId }, { services }) => {
    const id = idOf('PushSubscription', pushSubscriptionId);
    const gone = await services.pushSubscriptions.removeWhere(viewer, (one) => one.id === id);
    if (gone.length === 0) throw notFound();
    return { deletedPushSubscriptionId: pushSubscriptionId };
  },
  payload: (t) => ({
    deletedPushSubscriptionId: t.exposeID('deletedPushSubscriptionId', {
      description: 'The id of the push subscription that was removed.',
    }),
  }),
});
