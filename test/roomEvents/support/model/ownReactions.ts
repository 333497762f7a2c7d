import type { WholeEventsSubscription, WholeMessageFragment } from '../../../generated/graphql.ts';

/** The viewer's reactions to a message, as a client keeps them that does not ask for them in its events. */
interface OwnReactions {
  readonly version: number;
  readonly liked: boolean;
  readonly stamps: ReadonlySet<string>;
}

type MessageEvent = Extract<WholeEventsSubscription['roomEvents'], { readonly message: unknown }>;
type Messages = Readonly<Record<string, WholeMessageFragment>>;

const read = (message: WholeMessageFragment): OwnReactions => ({
  version: message.version,
  liked: message.viewerHasLiked,
  stamps: new Set(
    message.stampCounts.flatMap(({ viewerHasStamped, stamp }) => (viewerHasStamped ? [stamp.key] : [])),
  ),
});

/** Follows the causes of changes. If a cause is null, it reads the viewer's fields, which here the event has. */
export function createOwnReactions(messages: Messages, viewer: string) {
  let own = new Map(Object.entries(messages).map(([id, message]) => [id, read(message)]));
  return {
    apply(event: MessageEvent): void {
      const { message } = event;
      const known = own.get(message.id);
      if (known !== undefined && known.version >= message.version) return;
      const cause = event.__typename === 'MessageChanged' ? event.cause : null;
      if (known === undefined || cause === null) {
        own.set(message.id, read(message));
        return;
      }
      const stamps = new Set(cause.kind === 'DELETED' ? [] : known.stamps);
      let liked = known.liked && cause.kind !== 'DELETED';
      if (cause.actor.handle === viewer) {
        const key = cause.stamp?.key ?? '';
        if (cause.kind === 'LIKED') liked = true;
        if (cause.kind === 'UNLIKED') liked = false;
        if (cause.kind === 'STAMPED') stamps.add(key);
        if (cause.kind === 'UNSTAMPED') stamps.delete(key);
      }
      own.set(message.id, { version: message.version, liked, stamps });
    },
    readAgain(fresh: Messages): void {
      own = new Map(Object.entries(fresh).map(([id, message]) => [id, read(message)]));
    },
    /** What differs from these messages. */
    differences: (from: Messages): readonly string[] =>
      Object.values(from).flatMap((message) => {
        const [mine, theirs] = [own.get(message.id), read(message)];
        const same =
          mine?.liked === theirs.liked && [...mine.stamps].sort().join() === [...theirs.stamps].sort().join();
        return same ? [] : [message.id];
      }),
  };
}
