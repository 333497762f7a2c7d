import type { DeliverySettingsPartsFragment, UpdateDeliverySettingsInput } from '../generated/graphql.ts';

/** What to send to the server. Undefined if nothing was changed. */
export function changesBetween(
  before: Readonly<DeliverySettingsPartsFragment>,
  after: Readonly<DeliverySettingsPartsFragment>,
): UpdateDeliverySettingsInput | undefined {
  const kinds = after.kinds.flatMap((kind) => {
    const was = before.kinds.find((one) => one.kind === kind.kind);
    const changed = Object.entries(kind).filter(
      ([name, value]) => !isSame(value, was?.[name as keyof typeof was]),
    );
    return changed.length === 0 ? [] : [{ kind: kind.kind, ...Object.fromEntries(changed) }];
  });
  const changes: UpdateDeliverySettingsInput = {
    ...(kinds.length === 0 ? {} : { kinds }),
    ...(isSame(before.quietHours, after.quietHours) ? {} : { quietHours: after.quietHours }),
    ...(before.emailDigest === after.emailDigest ? {} : { emailDigest: after.emailDigest }),
    ...(before.hideText === after.hideText ? {} : { hideText: after.hideText }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** The settings as they are saved now, with what the user has changed in the form since `before`, and not saved. */
export function withUnsaved(
  before: Readonly<DeliverySettingsPartsFragment>,
  draft: Readonly<DeliverySettingsPartsFragment>,
  now: Readonly<DeliverySettingsPartsFragment>,
): Readonly<DeliverySettingsPartsFragment> {
  const { kinds = [], ...others } = changesBetween(before, draft) ?? {};
  return {
    ...now,
    ...(others as Partial<DeliverySettingsPartsFragment>),
    kinds: now.kinds.map((kind) => ({
      ...kind,
      ...(kinds?.find((one) => one.kind === kind.kind) as Partial<typeof kind> | undefined),
    })),
  };
}

type QuietHours = Readonly<DeliverySettingsPartsFragment['quietHours']>;

/** Why quiet hours cannot be saved, by the key of its text. */
export function wrongWith(hours: QuietHours): 'noTimes' | 'sameTimes' | 'noDays' | undefined {
  if (hours === null) return undefined;
  // The field is empty while a time is incomplete.
  if (hours.from === '' || hours.to === '') return 'noTimes';
  if (hours.from === hours.to) return 'sameTimes';
  return hours.days.length === 0 ? 'noDays' : undefined;
}

/** The draft as far as it can be saved. */
export const withoutInvalid = (
  saved: Readonly<DeliverySettingsPartsFragment>,
  draft: Readonly<DeliverySettingsPartsFragment>,
): Readonly<DeliverySettingsPartsFragment> =>
  wrongWith(draft.quietHours) === undefined ? draft : { ...draft, quietHours: saved.quietHours };

/** Days and channels have no order. */
const isSame = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_name, part: unknown) => (Array.isArray(part) ? part.toSorted() : part));
