import { createHash } from 'node:crypto';
import { defined } from '../../core/defined.ts';
import type { DeliveryKind, DeliveryWindows } from '../../core/deliveryKinds.ts';
import type { Item } from '../../dynamo/item.ts';
import { keys } from '../../dynamo/keys.ts';
import { SCHEMA_VERSION } from '../../dynamo/table.ts';
import type { RoomDelivery } from '../../rooms/room.ts';
import { DELIVERY_CHANNELS, type DeliveryChannel, type Hold } from '../delivery.ts';
import { endOfQuietHours, type QuietHours } from './quietHours.ts';

/** What a person chose for one kind. What is absent is as the operator set it. */
export type KindChoice = {
  readonly mode?: 'ON' | 'OFF';
  readonly delaySeconds?: number;
  readonly windowSeconds?: number;
  readonly channels?: readonly DeliveryChannel[];
};

/** What a person chose. */
export interface DeliverySettings {
  readonly kinds: Readonly<Partial<Record<DeliveryKind, KindChoice>>>;
  readonly quietHours: QuietHours | null;
  /** Milliseconds since 1970. A time in the past means nothing. */
  readonly pausedUntil: number | null;
  /** Whether deliveries say only that something happened. */
  readonly hideText: boolean;
  readonly version: number;
}

/** Everything that applies to one kind. */
export type KindSetting = { readonly kind: DeliveryKind } & Required<KindChoice>;

export const settingsItem = (user: string, settings: DeliverySettings) => ({
  ...keys.deliverySettings(user),
  v: SCHEMA_VERSION,
  kinds: settings.kinds,
  hideText: settings.hideText,
  rev: settings.version,
  ...defined({
    quietHours: settings.quietHours ?? undefined,
    pausedUntil: settings.pausedUntil ?? undefined,
  }),
});

export const settingsOf = (item: Item | undefined): DeliverySettings => ({
  kinds: (item?.kinds as DeliverySettings['kinds'] | undefined) ?? {},
  quietHours: (item?.quietHours as QuietHours | undefined) ?? null,
  pausedUntil: (item?.pausedUntil as number | undefined) ?? null,
  hideText: item?.hideText === true,
  version: (item?.rev as number | undefined) ?? 0,
});

export const kindSetting = (
  { kinds }: Pick<DeliverySettings, 'kinds'>,
  kind: DeliveryKind,
  windows: DeliveryWindows,
): KindSetting => ({ kind, mode: 'ON', ...windows[kind], channels: DELIVERY_CHANNELS, ...kinds[kind] });

/** How a kind is delivered, as far as these channels are set up. */
export const channelsFor = (
  { kinds }: Pick<DeliverySettings, 'kinds'>,
  kind: DeliveryKind,
): readonly DeliveryChannel[] => kinds[kind]?.channels ?? DELIVERY_CHANNELS;

/** Whether a room's setting leaves this kind out. A muted room counts as NOTHING unless the person chose something. */
export function isLeftOut(kind: DeliveryKind, room: { muted: boolean; delivery?: RoomDelivery }): boolean {
  const { delivery = room.muted ? 'NOTHING' : 'ALL' } = room;
  return delivery === 'NOTHING' || (delivery === 'MENTIONS' && kind !== 'MENTION');
}

/** Null if a delivery may be sent now. */
export function holdOf({ pausedUntil, quietHours }: DeliverySettings, now: number): Hold | null {
  if (pausedUntil !== null && pausedUntil > now) return { until: pausedUntil, outcome: 'PAUSED' };
  if (quietHours === null) return null;
  const until = endOfQuietHours(quietHours, now);
  return until > now ? { until, outcome: 'QUIET_HOURS' } : null;
}

const SPREAD_MS = 60_000;

/** People whose quiet hours end at the same time get their summaries within a minute. The same for each of one person. */
export const spreadOf = (user: string): number =>
  createHash('sha1').update(user).digest().readUInt32BE() % SPREAD_MS;
