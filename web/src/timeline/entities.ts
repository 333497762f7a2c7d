import { hasReactions, withKeptReactions } from '../reactions/ownReactions.ts';
import type { LiveMessage, Message, Patch } from './message.ts';

/** The messages of a room that are on the screen somewhere, each once, by id. */
export interface Entities {
  /** The newest version that the server has sent. */
  readonly server: ReadonlyMap<string, Message>;
  /** The viewer's changes that the server has not answered yet, in order. */
  readonly patches: readonly PendingPatch[];
  /** What the screen shows: `server` with the patches applied. */
  readonly optimistic: ReadonlyMap<string, Message>;
  /** The messages with reactions of which it is not known what the viewer's own are: they must be read again. */
  readonly uncertain: ReadonlySet<string>;
}

export interface PendingPatch {
  readonly id: string;
  readonly apply: Patch;
}

export const noEntities: Entities = {
  server: new Map(),
  patches: [],
  optimistic: new Map(),
  uncertain: new Set(),
};

/**
 * Adds messages from the server. The higher version of each wins: an answer may be older than an event. The same
 * version wins if the viewer's reactions are uncertain.
 */
export function withMessages(entities: Entities, messages: readonly Message[]): Entities {
  const older = messages.filter(({ id, version }) => {
    const known = entities.server.get(id);
    return known !== undefined && version < known.version && entities.uncertain.has(id);
  });
  return withNewer(withOlderReactions(entities, older), messages);
}

/**
 * While a message changes faster than it can be read, what is read is always older than the events. The viewer's own
 * reactions in it are still the best that is known, such as those that a mutation of the viewer returned. They stay
 * uncertain.
 */
function withOlderReactions(entities: Entities, older: readonly Message[]): Entities {
  if (older.length === 0) return entities;
  const server = new Map(entities.server);
  for (const message of older) {
    const known = server.get(message.id);
    if (known !== undefined) server.set(message.id, withKeptReactions(known, message));
  }
  return patched({ ...entities, server }, new Set(older.map(({ id }) => id)));
}

function withNewer(entities: Entities, messages: readonly Message[]): Entities {
  const newer = messages.filter(({ id, version }) => {
    const known = entities.server.get(id)?.version ?? -1;
    return version > known || (version === known && entities.uncertain.has(id));
  });
  if (newer.length === 0) return entities;
  const server = new Map(entities.server);
  for (const message of newer) server.set(message.id, message);
  const ids = new Set(newer.map(({ id }) => id));
  return patched({ ...entities, server, uncertain: without(entities.uncertain, ids) }, ids);
}

/** Adds the message of an event. Its reactions by the viewer follow from those of the known copy. */
export function withLiveMessage(entities: Entities, { shared, own }: LiveMessage): Entities {
  const { id } = shared;
  const known = entities.server.get(id);
  if (known !== undefined && known.version >= shared.version) return entities;
  const kept = withKeptReactions(shared, known);
  const server = new Map(entities.server).set(id, own === null ? kept : own(kept));
  // The cause explains one version. If the known copy is older than the one before, something else happened, too.
  const isNext = known !== undefined && known.version === shared.version - 1;
  const wasCertain = isNext && !entities.uncertain.has(id);
  const isCertain = !hasReactions(shared) || (wasCertain && own !== null);
  const uncertain = new Set(entities.uncertain);
  if (isCertain) uncertain.delete(id);
  else uncertain.add(id);
  return patched({ ...entities, server, uncertain }, new Set([id]));
}

/** After missed events: the viewer may have reacted to any of the messages. */
export const withUncertainReactions = (entities: Entities): Entities => ({
  ...entities,
  uncertain: new Set(entities.server.keys()),
});

/** These messages do not exist any more, so there is nothing to read again. */
export const withoutUncertain = (entities: Entities, ids: ReadonlySet<string>): Entities => ({
  ...entities,
  uncertain: without(entities.uncertain, ids),
});

export const withPatch = (entities: Entities, patch: PendingPatch): Entities =>
  patched({ ...entities, patches: [...entities.patches, patch] }, new Set([patch.id]));

export const withoutPatch = (entities: Entities, patch: PendingPatch): Entities =>
  patched({ ...entities, patches: entities.patches.filter((other) => other !== patch) }, new Set([patch.id]));

/** Drops the messages that no window contains any more. */
export function keptOnly(entities: Entities, ids: ReadonlySet<string>): Entities {
  if ([...entities.server.keys()].every((id) => ids.has(id))) return entities;
  const kept = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([id]) => ids.has(id)));
  return {
    ...entities,
    server: kept(entities.server),
    optimistic: kept(entities.optimistic),
    uncertain: new Set([...entities.uncertain].filter((id) => ids.has(id))),
  };
}

/** Computes the optimistic version of the changed messages again. */
function patched(entities: Entities, changed: ReadonlySet<string>): Entities {
  const optimistic = new Map(entities.optimistic);
  for (const id of changed) {
    const message = entities.server.get(id);
    if (message === undefined) continue;
    const patches = entities.patches.filter((patch) => patch.id === id);
    optimistic.set(
      id,
      patches.reduce((before, { apply }) => apply(before), message),
    );
  }
  return { ...entities, optimistic };
}

const without = (set: ReadonlySet<string>, ids: ReadonlySet<string>) =>
  new Set([...set].filter((id) => !ids.has(id)));
