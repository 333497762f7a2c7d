import { unauthenticated } from '../core/errors.ts';
import type { Identity } from '../core/identity.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';

/**
 * The services that resolvers call. The interface is empty here: every feature adds its own services to it with
 * `declare module`, so that this folder knows no feature. `app/features.ts` creates them all.
 */
// biome-ignore lint/suspicious/noEmptyInterface: other modules can add to an interface, but not to a type alias.
export interface Services {}

/** The context of one operation: a query, a mutation, or one event of a subscription. */
export interface Context {
  /** The id of the signed-in user; null if the request has no token. */
  readonly viewer: string | null;
  /** The claims of the request's token; null if it has none. */
  readonly identity: Identity | null;
  /** Reads items by key in batches. It returns each item as it was when this operation first read it. */
  readonly items: ItemLoader;
  /** The value of the `Accept-Language` header. */
  readonly acceptLanguage: string | undefined;
  readonly services: Services;
}

/** The viewer's id. Every root field requires one (`authScopes`), so this throws only if a field forgets that. */
export function requireViewer({ viewer }: Context): string {
  if (viewer === null) throw unauthenticated();
  return viewer;
}
