import { LRUCache } from 'lru-cache';
import { type Bus, topic } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import type { Item } from '../dynamo/item.ts';
import type { KeptItems } from '../dynamo/itemLoader.ts';
import { keys } from '../dynamo/keys.ts';
import type { LivePart } from '../live/resync.ts';

/** Every server listens: this user has changed their profile. */
const profileTopic = topic<{ user: string }>('profiles');

/** A profile takes about half a kilobyte. */
const PROFILES_MAX = 20_000;
const { sk: PROFILE } = keys.user('-');

export interface ProfileCacheOptions {
  readonly bus: Bus;
  readonly publisher: Publisher;
}

export interface ProfileCache extends KeptItems, LivePart {
  /** The profile was written by this process. Forgets it here at once, and on all other servers. Never rejects. */
  changed(user: string): Promise<void>;
  /** Resolves when changes by other servers arrive here. Nothing is kept before. */
  start(): Promise<void>;
  /** How many profiles it keeps. */
  readonly size: number;
}

/**
 * The profiles that this server has read lately: the authors of a page of messages are mostly the same as those of the
 * one before. A change is forgotten here before its request ends, and on other servers as soon as they receive it from
 * the bus. If that message is lost, at the next comparison, which is 30 s later at most. Only for what users see of
 * each other: code that decides something reads the table.
 */
export function createProfileCache({ bus, publisher }: ProfileCacheOptions): ProfileCache {
  const kept = new LRUCache<string, Item>({ max: PROFILES_MAX });
  let listening = false;
  /** Rises when something is forgotten: a read that began before may have seen the old profile. */
  let generation = 0;

  function forget(user: string): void {
    generation++;
    kept.delete(keys.user(user).pk);
  }

  function forgetAll(): void {
    generation++;
    kept.clear();
  }

  return {
    name: 'profiles',
    get size() {
      return kept.size;
    },
    resync: forgetAll,
    compare: async () => forgetAll(),

    get: ({ pk, sk }) => (sk === PROFILE ? kept.get(pk) : undefined),
    beginRead() {
      const began = generation;
      return ({ pk, sk }, item) => {
        if (sk === PROFILE && item !== undefined && listening && began === generation) kept.set(pk, item);
      };
    },

    async changed(user) {
      forget(user);
      await publisher.publish(profileTopic, { user });
    },
    async start() {
      await bus.subscribe(profileTopic, ({ user }) => forget(user));
      listening = true;
    },
  };
}

declare module '../graphql/context.ts' {
  interface Services {
    readonly profileCache: ProfileCache;
  }
}
