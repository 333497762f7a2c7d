import { unauthenticated } from '../core/errors.ts';
import type { ItemLoader } from '../dynamo/itemLoader.ts';

/**
 * What the features do, by feature. Empty here: each feature adds its own line to it (`declare module`)
 * beside its types, and `app.ts` fills it in.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an interface, for only those can be added to from elsewhere.
export interface Services {}

/** Of one operation: a query, a mutation, or one event of a subscription. */
export interface Context {
  /** The id of the person who asks; null where no token was sent. */
  readonly viewer: string | null;
  /** Reads items by key in batches. What this operation has seen stays as it was for it. */
  readonly items: ItemLoader;
  /** The languages that the client asked for, as the header has them. */
  readonly acceptLanguage: string | undefined;
  readonly services: Services;
}

/** The viewer's id. Every root field asks for one (`authScopes`), so this throws only where that is forgotten. */
export function requireViewer({ viewer }: Context): string {
  if (viewer === null) throw unauthenticated();
  return viewer;
}
