import { DELIVERY_KINDS, type DeliveryKind, type DeliveryWindows } from '../../core/deliveryKinds.ts';
import { badUserInput } from '../../core/errors.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { ifConditionHolds } from '../../dynamo/errors.ts';
import { keys } from '../../dynamo/keys.ts';
import { AGAIN } from '../../dynamo/optimistic.ts';
import { ifVersion } from '../../dynamo/write.ts';
import { digestWrite } from '../delivery.ts';
import { createRoomListeners } from '../rooms/listeners.ts';
import type { QuietHours } from './quietHours.ts';
import {
  type DeliverySettings,
  digestSeconds,
  type EmailDigest,
  type KindChoice,
  type KindSetting,
  kindSetting,
  settingsItem,
  settingsOf,
  type VerifiedAddress,
} from './settings.ts';

/** An absent field stays as it is. Null removes the choice. */
export interface SettingsChange {
  readonly kinds?: ReadonlyMap<DeliveryKind, { readonly [K in keyof KindChoice]: KindChoice[K] | null }>;
  readonly quietHours?: QuietHours | null;
  readonly hideText?: boolean;
  readonly pausedUntil?: number | null;
  readonly emailDigest?: EmailDigest;
  /** What the request's token says. Stored if the person wants digests. */
  readonly email?: VerifiedAddress;
}

export interface DeliverySettingsOptions {
  readonly dynamo: Pick<
    Dynamo,
    'get' | 'put' | 'update' | 'batchGet' | 'remove' | 'optimistic' | 'tryTransact'
  >;
  readonly windows: DeliveryWindows;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export type DeliverySettingsService = ReturnType<typeof createDeliverySettings>;

/** What people chose about deliveries. */
export function createDeliverySettings({ dynamo, windows, now }: DeliverySettingsOptions) {
  /** One read. */
  async function read(user: string): Promise<DeliverySettings> {
    return settingsOf(await dynamo.get(keys.deliverySettings(user)));
  }

  /**
   * One read and one write; a transaction of two if it decides whether digests are sent. `by` returns null if there is
   * nothing to change.
   */
  const revise = (
    user: string,
    by: (before: DeliverySettings) => Partial<DeliverySettings> | null,
  ): Promise<DeliverySettings> =>
    dynamo.optimistic(async () => {
      const before = await read(user);
      const changed = by(before);
      if (changed === null) return before;
      const after: DeliverySettings = { ...before, ...changed, version: before.version + 1 };
      const guard = ifVersion(before.version);
      const item = settingsItem(user, after);
      const wantsDigest = digestSeconds(after) !== null;
      if (wantsDigest === (digestSeconds(before) !== null)) {
        return (await ifConditionHolds(dynamo.put(item, guard).then(() => after))) ?? AGAIN;
      }
      const failed = await dynamo.tryTransact({
        settings: { put: item, ...guard },
        badge: digestWrite(user, wantsDigest),
      });
      return failed === undefined ? after : AGAIN;
    });

  /** As `revise`. */
  const change = (user: string, { kinds, email, ...rest }: SettingsChange): Promise<DeliverySettings> =>
    revise(user, (before) => {
      const emailDigest = rest.emailDigest ?? before.emailDigest;
      return {
        ...rest,
        kinds: kinds === undefined ? before.kinds : withChoices(before.kinds, kinds),
        // What is not needed is not stored.
        email: emailDigest === 'NEVER' ? null : newestAddress(before, email),
        emailRefusedAt: rest.emailDigest === undefined ? before.emailRefusedAt : null,
      };
    });

  /** As `revise`. Throws BAD_USER_INPUT if the time is in the past, or further away than `maxMs`. */
  function pause(user: string, until: number | null, maxMs: number): Promise<DeliverySettings> {
    if (until !== null && (until <= now() || until > now() + maxMs)) {
      throw badUserInput('input.until', '`input.until` must be in the future, and within a year.');
    }
    return change(user, { pausedUntil: until });
  }

  const isPast = (time: number | null): boolean => time !== null && time <= now();

  const { choose: setRoom } = createRoomListeners({ dynamo, windows });

  const kindsOf = (settings: DeliverySettings): KindSetting[] =>
    DELIVERY_KINDS.map((kind) => kindSetting(settings, kind, windows));

  return { read, revise, change, pause, isPast, setRoom, kindsOf };
}

/** An older token does not replace what a newer one said. */
function newestAddress(
  { email: before, emailForgottenAt }: DeliverySettings,
  email: VerifiedAddress | undefined,
): VerifiedAddress | null {
  const knownAt = Math.max(before?.tokenAt ?? 0, emailForgottenAt ?? 0);
  return email === undefined || email.tokenAt < knownAt ? before : email;
}

function withChoices(
  before: DeliverySettings['kinds'],
  changes: NonNullable<SettingsChange['kinds']>,
): DeliverySettings['kinds'] {
  const changed = [...changes].map(([kind, choice]) => {
    const merged = Object.entries({ ...before[kind], ...choice }).filter(([, value]) => value !== null);
    return [kind, Object.fromEntries(merged)] as const;
  });
  const all = Object.entries({ ...before, ...Object.fromEntries(changed) });
  return Object.fromEntries(all.filter(([, choice]) => Object.keys(choice ?? {}).length > 0));
}
