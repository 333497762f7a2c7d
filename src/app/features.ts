import { createAccountDeletion } from '../accountDeletion/accountDeletion.ts';
import { accountDeletionFeature } from '../accountDeletion/feature.ts';
import type { Bus } from '../bus/bus.ts';
import type { Publisher } from '../bus/publisher.ts';
import { defined } from '../core/defined.ts';
import type { DeliveryWindows } from '../core/deliveryKinds.ts';
import type { Log } from '../core/log.ts';
import type { Metrics } from '../core/metrics.ts';
import type { RateLimits } from '../core/rateLimits.ts';
import { createTimestamps } from '../core/timestamps.ts';
import type { Tracer } from '../core/trace.ts';
import type { Channels } from '../delivery/channels/channels.ts';
import type { Decision } from '../delivery/decide.ts';
import { createDeliveryServices, deliveryFeature } from '../delivery/feature.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import type { Item } from '../dynamo/item.ts';
import { createConsistentLoader } from '../dynamo/itemLoader.ts';
import { knownItemsSize } from '../dynamo/transport/knownItems.ts';
import type { Feature } from '../feature.ts';
import type { Services } from '../graphql/context.ts';
import { keptTextSize } from '../graphql/keptText.ts';
import { openJobsCounter } from '../jobs/counters.ts';
import { createJobsHandler } from '../jobs/handlers.ts';
import type { EndedState } from '../jobs/job.ts';
import { createJobs, createJobsVisitor, type Jobs } from '../jobs/jobs.ts';
import { createJobRunner } from '../jobs/runner.ts';
import { createTableReader, type TableReader } from '../jobs/tableReader.ts';
import { createMembershipGuard } from '../live/membershipGuard.ts';
import { createResync } from '../live/resync.ts';
import { messagesFeature } from '../messages/feature.ts';
import { createMessages } from '../messages/messages.ts';
import { createNotificationServices, notificationsFeature } from '../notifications/feature.ts';
import type { NotificationKind, Retention } from '../notifications/notification.ts';
import type { RateLimiter } from '../rateLimits/rateLimiter.ts';
import { reactionsFeature } from '../reactions/feature.ts';
import { createReactionServices, REACTIONS } from '../reactions/registry.ts';
import type { Catalogue } from '../reactions/stamps/catalogue.ts';
import { createViewerReactions } from '../reactions/viewerReactions.ts';
import type { Visitor } from '../rebuild/rebuild.ts';
import { reshapeFeature } from '../reshape/feature.ts';
import { roomDeletionFeature } from '../roomDeletion/feature.ts';
import { createRoomDeletion } from '../roomDeletion/roomDeletion.ts';
import { createRoomEventServices, roomEventsFeature } from '../roomEvents/feature.ts';
import { roomsFeature } from '../rooms/feature.ts';
import { createRoomQueries } from '../rooms/roomQueries.ts';
import { createRooms } from '../rooms/rooms.ts';
import { savedFeature } from '../saved/feature.ts';
import { createJobStreams } from '../saved/jobs/live/jobStreams.ts';
import { createTagChanges } from '../saved/jobs/tagChanges.ts';
import { createSavedStreams } from '../saved/live/savedStreams.ts';
import { createPublicSaved } from '../saved/others/publicSaved.ts';
import { createSaved } from '../saved/saved.ts';
import { scheduledFeature } from '../scheduled/feature.ts';
import { createScheduled } from '../scheduled/scheduled.ts';
import { createSignOut } from '../signOut/signOut.ts';
import type { StreamHandler } from '../stream/change.ts';
import { createThreads } from '../threads/threads.ts';
import { createTimersHandler } from '../timers/handlers.ts';
import type { TimerKind } from '../timers/timer.ts';
import { createUnreadServices, unreadFeature } from '../unread/feature.ts';
import { createBlocks } from '../users/blocks/blocks.ts';
import { usersFeature } from '../users/feature.ts';
import { createProfileCache } from '../users/profileCache.ts';
import { createUsers } from '../users/users.ts';
import type { Counter } from '../verify/counter.ts';

interface DerivationNeeds extends DerivationOptions {
  readonly jobs: Jobs;
  readonly table: TableReader;
  /** See `RoomLogOptions`. */
  readonly isFollowed: (counter: Item) => boolean;
}

/** The features that derive or count something. A new one has its line here; the order means nothing. */
const FEATURES: ReadonlyArray<Feature<DerivationNeeds>> = [
  usersFeature,
  messagesFeature,
  savedFeature,
  roomEventsFeature,
  reactionsFeature,
  roomsFeature,
  unreadFeature,
  notificationsFeature,
  roomDeletionFeature,
  accountDeletionFeature,
  deliveryFeature,
  scheduledFeature,
  reshapeFeature,
];

export interface ServicesOptions {
  readonly dynamo: Dynamo;
  readonly bus: Bus;
  readonly publisher: Publisher;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracer?: Tracer | undefined;
  readonly catalogue: Catalogue;
  readonly rateLimiter: RateLimiter;
  readonly rateLimits: RateLimits;
  readonly retention: Retention;
  readonly revokedTokens: Services['revokedTokens'];
  /** The operator's default windows. A user's own settings override them. */
  readonly deliveryWindows: DeliveryWindows;
  /** How people are reached outside the page. */
  readonly channels: Channels;
  /** The origin of links to the web client. */
  readonly publicUrl: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The services that resolvers call. A new feature has its line here. */
export function createServices(options: ServicesOptions): Services {
  const { dynamo, bus, publisher, log, metrics, catalogue, rateLimiter, rateLimits, now } = options;
  const timestamps = createTimestamps(now);
  const items = createConsistentLoader(dynamo, { gather: true });
  const guard = createMembershipGuard(items);
  const resync = createResync({ bus, log, onResync: () => metrics.resyncs.inc() });
  const profileCache = createProfileCache({ bus, publisher });
  const common = { ...options, timestamps, items, guard, resync, profileCache };
  const roomEvents = createRoomEventServices(common);
  const unread = createUnreadServices({ ...common, roomCache: roomEvents.roomCache });
  const notifications = createNotificationServices(common);
  // Profiles first, because they only forget. Rooms before badges, which use their numbers.
  const savedStreams = createSavedStreams(common);
  const jobStreams = createJobStreams(common);
  const { notificationStreams } = notifications;
  const live = [roomEvents.roomCache, unread.badges, notificationStreams, savedStreams, jobStreams];
  for (const part of [profileCache, ...live]) resync.add(part);
  const { caches } = metrics.watched;
  caches.set('profiles', () => ({ entries: profileCache.size }));
  caches.set('rooms', () => ({ entries: roomEvents.roomCache.size }));
  caches.set('items', knownItemsSize);
  caches.set('texts', keptTextSize);
  const delivery = createDeliveryServices(common);
  const messages = createMessages({
    dynamo,
    timestamps,
    publisher,
    now,
    extensions: REACTIONS,
    viewerItems: createViewerReactions({ dynamo, kinds: REACTIONS }),
  });
  const reactions = createReactionServices({ dynamo, timestamps });
  return {
    catalogue,
    rateLimiter,
    publicUrl: options.publicUrl,
    resync,
    membershipGuard: guard,
    profileCache,
    revokedTokens: options.revokedTokens,
    users: createUsers({
      dynamo,
      items,
      timestamps,
      profileCache,
      now,
      handleLimit: rateLimits.handles,
      // Without mail there are no addresses.
      ...(options.channels.mail === undefined ? {} : { onToken: delivery.addresses.follow }),
    }),
    blocks: createBlocks({ dynamo, timestamps }),
    rooms: createRooms({ dynamo, timestamps, publisher, now }),
    roomQueries: createRoomQueries({ dynamo }),
    roomDeletion: createRoomDeletion({ dynamo, publisher, timestamps, now }),
    accountDeletion: createAccountDeletion({ dynamo, publisher, timestamps, profileCache, now }),
    signOut: createSignOut({ dynamo, now }),
    messages,
    ...reactions,
    scheduledMessages: createScheduled({ dynamo, now }),
    saved: createSaved({ dynamo, timestamps, now }),
    publicSaved: createPublicSaved({ dynamo }),
    savedStreams,
    jobStreams,
    tagChanges: createTagChanges({ dynamo, now }),
    threads: createThreads({ messages, stamps: reactions.stamps }),
    ...roomEvents,
    ...unread,
    ...notifications,
    ...delivery,
  };
}

export interface DerivationOptions {
  readonly dynamo: Dynamo;
  readonly publisher: Publisher;
  /** How long read notifications are kept. */
  readonly retention: Retention;
  /** How people are reached outside the page. Absent: nothing is sent. */
  readonly channels?: Channels;
  /** The origin of links to the web client. Absent: they have none. */
  readonly publicUrl?: () => string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** See `TableReaderOptions`. */
  readonly tableInUse?: (() => string) | undefined;
  /**
   * For how long handlers may put off what only saves work, in milliseconds: it is lost if the process is killed.
   * Default: not at all. A function is frozen as soon as a batch is handled.
   */
  readonly putOffMs?: number;
  /** When something is delivered, unless a person chose otherwise. Default: `DELIVERY_WINDOWS`. */
  readonly deliveryWindows?: DeliveryWindows;
  /** What one user may do per time. Default: `RATE_LIMITS`. */
  readonly rateLimits?: RateLimits;
  /** Called for every decision whether something is delivered. */
  readonly onDecision?: (decision: Decision) => void;
  /** Called with the end of every send: `DeliveryChannel` and `DeliveryOutcome`. */
  readonly onSendEnd?: (channel: string, outcome: string) => void;
  /** Called for every notification that was created or changed. */
  readonly onNotification?: (kind: NotificationKind) => void;
  /** Called when a job has ended. */
  readonly onJobEnded?: (kind: string, state: EndedState) => void;
  /** Called with items that were read, and groups that were converted, for another shape of the table. */
  readonly onConversion?: (read: number, converted: number) => void;
}

/** Everything that the features derive from the table. */
export interface Derivations {
  readonly handlers: readonly StreamHandler[];
  readonly timerKinds: readonly TimerKind[];
  /** Starts work that an earlier release left. Called once a minute. */
  upkeep(): Promise<void>;
  /** Does what handlers have put off. */
  finish(): Promise<void>;
  /** For one rebuild: visitors have state. */
  createVisitors(): Visitor[];
}

/** Once per process, because a notifier writes one user's notifications one after another. */
export function createDerivations(options: DerivationOptions): Derivations {
  const { dynamo, publisher, now, onJobEnded } = options;
  const jobs = createJobs({ dynamo, now });
  const table = createTableReader({ dynamo, now, tableInUse: options.tableInUse });
  const isFollowed = (counter: Item) =>
    FEATURES.some(({ followsCounter }) => followsCounter?.(counter) === true);
  const needs = { ...options, jobs, table, isFollowed };
  const derived = FEATURES.flatMap(({ derive }) => derive?.(needs) ?? []);
  const kinds = derived.flatMap(({ jobKinds = [] }) => jobKinds);
  return {
    handlers: [
      ...derived.flatMap(({ handlers = [] }) => handlers),
      createJobsHandler({ jobs }),
      createTimersHandler({ publisher, now }),
    ],
    timerKinds: [
      ...createJobRunner({ dynamo, kinds, now, ...defined({ onEnded: onJobEnded }) }),
      ...derived.flatMap(({ timerKinds = [] }) => timerKinds),
    ],
    async upkeep() {
      await Promise.all([jobs.adoptWaiting(), ...derived.map(({ upkeep }) => upkeep?.())]);
    },
    async finish() {
      await Promise.all(derived.map(({ finish }) => finish?.()));
    },
    createVisitors: () => [
      ...derived.flatMap(({ createVisitor }) => createVisitor?.() ?? []),
      createJobsVisitor(jobs),
    ],
  };
}

/** All numbers that the table stores about itself. */
export const counters: readonly Counter[] = [
  ...FEATURES.flatMap(({ counters: own = [] }) => own),
  openJobsCounter,
];
