import { createHash } from 'node:crypto';
import { defined } from '../../core/defined.ts';
import { type DeliveryKind, type DeliveryWindows, OFF_BY_DEFAULT } from '../../core/deliveryKinds.ts';
import { DAY_S } from '../../core/timestamps.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { FIRST_SHAPE } from '../../dynamo/shapes.ts';
import type { RoomDelivery } from '../../rooms/room.ts';
import { DELIVERY_CHANNELS, type DeliveryChannel, type Hold } from '../delivery.ts';
import { betweenQuietHours, endOfQuietHours, type QuietHours } from './quietHours.ts';

/** What a person chose for one kind. What is absent is as the operator set it. */
export type KindChoice = {
  readonly mode?: 'ON' | 'OFF';
  readonly delaySeconds?: number;
  readonly windowSeconds?: number;
  readonly channels?: readonly DeliveryChannel[];
};

/** How often a digest is mailed at most, in seconds. They are stored: do not rename one. */
export const DIGEST_SECONDS = { MINUTES_15: 900, HOURLY: 3_600, DAILY: DAY_S } as const;
export type EmailDigest = keyof typeof DIGEST_SECONDS | 'NEVER';

/** An address that the identity provider has verified. */
export interface VerifiedAddress {
  readonly address: string;
  /** When the token was issued that said so, in seconds since 1970; 0 if it did not say. */
  readonly tokenAt: number;
}

/** What a person chose. */
export interface DeliverySettings {
  readonly kinds: Readonly<Partial<Record<DeliveryKind, KindChoice>>>;
  readonly quietHours: QuietHours | null;
  /** Milliseconds since 1970. A time in the past means nothing. */
  readonly pausedUntil: number | null;
  /** Whether deliveries say only that something happened. */
  readonly hideText: boolean;
  readonly emailDigest: EmailDigest;
  /** Null if none is known, or if the person wants no digest. */
  readonly email: VerifiedAddress | null;
  /** When a mail server refused the address, in milliseconds since 1970, until the person chooses a digest again. */
  readonly emailRefusedAt: number | null;
  /** When the token was issued that made us forget an address, in seconds since 1970. Older ones bring none back. */
  readonly emailForgottenAt: number | null;
  readonly version: number;
}

/** Everything that applies to one kind. */
export type KindSetting = { readonly kind: DeliveryKind } & Required<KindChoice>;

export const settingsItem = (user: string, settings: DeliverySettings) => ({
  ...keys.deliverySettings(user),
  v: FIRST_SHAPE,
  kinds: settings.kinds,
  hideText: settings.hideText,
  rev: settings.version,
  ...defined({
    quietHours: settings.quietHours ?? undefined,
    pausedUntil: settings.pausedUntil ?? undefined,
    emailDigest: settings.emailDigest === 'NEVER' ? undefined : settings.emailDigest,
    email: settings.email ?? undefined,
    emailRefusedAt: settings.emailRefusedAt ?? undefined,
    emailForgottenAt: settings.emailForgottenAt ?? undefined,
  }),
});

export const settingsOf = (item: Item | undefined): DeliverySettings => ({
  kinds: (item?.kinds as DeliverySettings['kinds'] | undefined) ?? {},
  quietHours: (item?.quietHours as QuietHours | undefined) ?? null,
  pausedUntil: (item?.pausedUntil as number | undefined) ?? null,
  hideText: item?.hideText === true,
  emailDigest: (item?.emailDigest as EmailDigest | undefined) ?? 'NEVER',
  email: (item?.email as VerifiedAddress | undefined) ?? null,
  emailRefusedAt: (item?.emailRefusedAt as number | undefined) ?? null,
  emailForgottenAt: (item?.emailForgottenAt as number | undefined) ?? null,
  version: (item?.rev as number | undefined) ?? 0,
});

export const kindSetting = (
  { kinds }: Pick<DeliverySettings, 'kinds'>,
  kind: DeliveryKind,
  windows: DeliveryWindows,
): KindSetting => ({
  kind,
  ...windows[kind],
  channels: DELIVERY_CHANNELS,
  ...kinds[kind],
  mode: modeOf({ kinds }, kind),
});

/** Whether a kind is delivered. */
export const modeOf = ({ kinds }: Pick<DeliverySettings, 'kinds'>, kind: DeliveryKind): 'ON' | 'OFF' =>
  kinds[kind]?.mode ?? (OFF_BY_DEFAULT.includes(kind) ? 'OFF' : 'ON');

/** How a kind is delivered, as far as these channels are set up. */
export const channelsFor = (
  { kinds }: Pick<DeliverySettings, 'kinds'>,
  kind: DeliveryKind,
): readonly DeliveryChannel[] => kinds[kind]?.channels ?? DELIVERY_CHANNELS;

/** How this kind is delivered if it is on, apart from digests. */
export const channelsAtOnce = (
  settings: Pick<DeliverySettings, 'kinds'>,
  kind: DeliveryKind,
): readonly DeliveryChannel[] =>
  modeOf(settings, kind) === 'OFF' ? [] : channelsFor(settings, kind).filter((one) => one !== 'EMAIL');

/** Seconds between two digests; null if none are sent. */
export const digestSeconds = ({
  emailDigest,
  email,
}: Pick<DeliverySettings, 'emailDigest' | 'email'>): number | null =>
  emailDigest === 'NEVER' || email === null ? null : DIGEST_SECONDS[emailDigest];

/** Whether something of this kind is in the person's digests. */
export const isInDigest = (settings: Pick<DeliverySettings, 'kinds'>, kind: DeliveryKind): boolean =>
  modeOf(settings, kind) === 'ON' && channelsFor(settings, kind).includes('EMAIL');

/**
 * Whether a room's setting leaves this kind out. A muted room counts as NOTHING unless the person chose something.
 * Messages are for those alone who chose ALL. No room leaves out a reminder, for which the person chose the time.
 */
export function isLeftOut(kind: DeliveryKind, room: { muted: boolean; delivery?: RoomDelivery }): boolean {
  if (kind === 'MESSAGE') return room.delivery !== 'ALL';
  if (kind === 'REMINDER') return false;
  const { delivery = room.muted ? 'NOTHING' : 'ALL' } = room;
  return delivery === 'NOTHING' || (delivery === 'MENTIONS' && kind !== 'MENTION');
}

/** Null if a delivery of these kinds may be sent now. Reminders alone pass quiet hours. */
export function holdOf(
  { pausedUntil, quietHours }: DeliverySettings,
  now: number,
  kinds: readonly string[],
): Hold | null {
  if (pausedUntil !== null && pausedUntil > now)
    return { until: pausedUntil, spreadMs: SPREAD_MS, outcome: 'PAUSED' };
  const passesQuietHours = kinds.every((kind) => kind === 'REMINDER');
  if (quietHours === null || passesQuietHours) return null;
  const until = endOfQuietHours(quietHours, now);
  // If the time between two quiet hours is as short as a minute, half of it is left for the decision.
  const spreadMs = Math.min(SPREAD_MS, betweenQuietHours(quietHours) / 2);
  return until > now ? { until, spreadMs, outcome: 'QUIET_HOURS' } : null;
}

const SPREAD_MS = 60_000;

/**
 * When the summary of what is held back is due. People whose quiet hours end at the same time get their summaries
 * within a minute. The same for each of one person.
 */
export const summaryAt = (user: string, { until, spreadMs }: Hold): number =>
  until + (createHash('sha1').update(user).digest().readUInt32BE() % spreadMs);
