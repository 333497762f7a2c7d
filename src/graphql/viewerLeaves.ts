/**
 * Fields that say something about the viewer alone, such as whether they like a message. An event is executed once for
 * all its readers; a field that reads `context.viewer` makes it an execution for each. Such a field leaves a hole
 * instead, and the hole is filled for each reader.
 */
import type { GraphQLResolveInfo } from 'graphql';
import { type Context, requireViewer } from './context.ts';

/** A boolean that depends on the viewer, and on nothing else that differs between the readers of an event. */
export interface ViewerLeaf {
  /** All users that have the value true; undefined if it has to be read for each. `readers`: how many wait for it. */
  readonly holders: (readers: number) => Promise<ReadonlySet<string> | undefined>;
  /** Whether it is true for this user. */
  readonly has: (user: string) => Promise<boolean>;
}

/** A field of a shared result that is filled in for each reader. */
export interface ViewerHole {
  readonly path: GraphQLResolveInfo['path'];
  readonly leaf: ViewerLeaf;
  /** What the field returned while it was left out. */
  readonly placeholder: false | null;
  /** The JSON of the field for users that have the value true, and for all others. */
  readonly json: { readonly yes: string; readonly no: string };
}

declare module './context.ts' {
  interface Context {
    /** Set while an event is executed once for all its readers: what `viewerLeaf` has left out. */
    readonly viewerHoles?: ViewerHole[];
  }
}

/** The value of a Boolean field. The field returns it as it is: while an event is shared, it is a placeholder. */
export function viewerLeaf(
  context: Context,
  info: GraphQLResolveInfo,
  leaf: ViewerLeaf,
): boolean | Promise<boolean> {
  if (context.viewerHoles === undefined) return leaf.has(requireViewer(context));
  context.viewerHoles.push({ path: info.path, leaf, placeholder: false, json: { yes: 'true', no: 'false' } });
  return false;
}

/** The value of a nullable String field that only one user may see; null for everyone else. Reads nothing. */
export function textFor(
  owner: string,
  text: string,
  { context, info }: { readonly context: Context; readonly info: GraphQLResolveInfo },
): string | null {
  if (context.viewerHoles === undefined) return requireViewer(context) === owner ? text : null;
  const leaf: ViewerLeaf = { holders: async () => new Set([owner]), has: async (user) => user === owner };
  const json = { yes: JSON.stringify(text), no: 'null' };
  context.viewerHoles.push({ path: info.path, leaf, placeholder: null, json });
  return null;
}
