import type { Message, Patch } from './message.ts';

/** The messages of a room that are shown somewhere, each once, by id. */
export interface Entities {
  /** As the server told them. */
  readonly told: ReadonlyMap<string, Message>;
  /** What the viewer has changed and the server has not answered yet, in order. */
  readonly patches: readonly PendingPatch[];
  /** As they are shown: told, then patched. */
  readonly shown: ReadonlyMap<string, Message>;
}

export interface PendingPatch {
  readonly id: string;
  readonly apply: Patch;
}

export const noEntities: Entities = { told: new Map(), patches: [], shown: new Map() };

/** Takes in what the server told, keeping the higher version of each: an answer may be older than an event. */
export function withMessages(entities: Entities, messages: readonly Message[]): Entities {
  const newer = messages.filter(({ id, version }) => version > (entities.told.get(id)?.version ?? -1));
  if (newer.length === 0) return entities;
  const told = new Map(entities.told);
  for (const message of newer) told.set(message.id, message);
  return shownAgain({ ...entities, told }, new Set(newer.map(({ id }) => id)));
}

export const withPatch = (entities: Entities, patch: PendingPatch): Entities =>
  shownAgain({ ...entities, patches: [...entities.patches, patch] }, new Set([patch.id]));

export const withoutPatch = (entities: Entities, patch: PendingPatch): Entities =>
  shownAgain(
    { ...entities, patches: entities.patches.filter((other) => other !== patch) },
    new Set([patch.id]),
  );

/** Forgets what no window shows any more. */
export function keptOnly(entities: Entities, ids: ReadonlySet<string>): Entities {
  if ([...entities.told.keys()].every((id) => ids.has(id))) return entities;
  const kept = <T>(map: ReadonlyMap<string, T>) => new Map([...map].filter(([id]) => ids.has(id)));
  return { ...entities, told: kept(entities.told), shown: kept(entities.shown) };
}

function shownAgain(entities: Entities, changed: ReadonlySet<string>): Entities {
  const shown = new Map(entities.shown);
  for (const id of changed) {
    const told = entities.told.get(id);
    if (told === undefined) continue;
    const patches = entities.patches.filter((patch) => patch.id === id);
    shown.set(
      id,
      patches.reduce((message, { apply }) => apply(message), told),
    );
  }
  return { ...entities, shown };
}
