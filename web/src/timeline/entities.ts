import type { Message, Patch } from './message.ts';

/** The messages of a room that are on the screen somewhere, each once, by id. */
export interface Entities {
  /** The newest version that the server has sent. */
  readonly server: ReadonlyMap<string, Message>;
  /** The viewer's changes that the server has not answered yet, in order. */
  readonly patches: readonly PendingPatch[];
  /** What the screen shows: `server` with the patches applied. */
  readonly optimistic: ReadonlyMap<string, Message>;
}

export interface PendingPatch {
  readonly id: string;
  readonly apply: Patch;
}

export const noEntities: Entities = { server: new Map(), patches: [], optimistic: new Map() };

/** Adds messages from the server. The higher version of each wins: an answer may be older than an event. */
export function withMessages(entities: Entities, messages: readonly Message[]): Entities {
  const newer = messages.filter(({ id, version }) => version > (entities.server.get(id)?.version ?? -1));
  if (newer.length === 0) return entities;
  const server = new Map(entities.server);
  for (const message of newer) server.set(message.id, message);
  return patched({ ...entities, server }, new Set(newer.map(({ id }) => id)));
}

export const withPatch = (entities: Entities, patch: PendingPatch): Entities =>
  patched({ ...entities, patches: [...entities.patches, patch] }, new Set([patch.id]));

export const withoutPatch = (entities: Entities, patch: PendingPatch): Entities =>
  patched({ ...entities, patches: entities.patches.filter((other) => other !== patch) }, new Set([patch.id]));

/** Drops the messages that no window contains any more. */
export function keptOnly(entities: Entities, ids: ReadonlySet<string>): Entities {
  if ([...entities.server.keys()].every((id) => ids.has(id))) return entities;
  const kept = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([id]) => ids.has(id)));
  return { ...entities, server: kept(entities.server), optimistic: kept(entities.optimistic) };
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
