import { z } from 'zod';
import { defined } from '../../core/defined.ts';
import { DELIVERY_KINDS, type DeliveryKind, WINDOW_MAX_S } from '../../core/deliveryKinds.ts';
import { badUserInput } from '../../core/errors.ts';
import { DAY_S } from '../../core/timestamps.ts';
import { builder } from '../../graphql/builder.ts';
import type { Services } from '../../graphql/context.ts';
import { mutation } from '../../graphql/mutation.ts';
import { timeZone, wholeNumber } from '../../graphql/validation.ts';
import type { RoomDelivery } from '../../rooms/room.ts';
import { MembershipRef, ownMembershipView, roomIdOf } from '../../rooms/types.ts';
import { ViewerRef } from '../../users/types.ts';
import { verifiedAddress } from '../channels/email/addresses.ts';
import { DELIVERY_CHANNELS } from '../delivery.ts';
import { DeliveryChannelRef, DeliveryKindRef } from '../types.ts';
import type { DeliverySettingsService, SettingsChange } from './deliverySettings.ts';
import type { QuietHours } from './quietHours.ts';
import type { DeliverySettings, EmailDigest, KindSetting } from './settings.ts';

declare module '../../graphql/context.ts' {
  interface Services {
    readonly deliverySettings: DeliverySettingsService;
  }
}

const PAUSE_MAX_S = 366 * DAY_S;

const WEEKDAYS = [
  ...(['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY'] as const),
  ...(['THURSDAY', 'FRIDAY', 'SATURDAY'] as const),
] as const;

const DeliveryModeRef = builder.enumType('DeliveryMode', {
  description: 'Whether something is delivered outside the page.',
  values: {
    ON: { description: 'It is delivered.' },
    OFF: { description: 'It is not delivered. What the bell shows stays in the bell.' },
  } as const,
});

const RoomDeliveryRef = builder.enumType('RoomDelivery', {
  description: 'What of a room is delivered outside the page.',
  values: {
    DEFAULT: { description: 'Everything, or nothing if the room is muted.' },
    ALL: {
      description:
        'Everything that the bell shows, and all messages (`MESSAGE`), even if the room is muted. Of a muted room, the bell shows mentions only.',
    },
    MENTIONS: { description: 'Only mentions, even if the room is muted.' },
    NOTHING: { description: 'Nothing of the room.' },
  } as const satisfies Record<RoomDelivery | 'DEFAULT', object>,
});

const EmailDigestRef = builder.enumType('EmailDigest', {
  description: 'How often what the viewer has not read is sent to them by e-mail.',
  values: {
    NEVER: { description: 'It is not sent.' },
    MINUTES_15: { description: 'What is unread for 15 minutes, at most every 15 minutes.' },
    HOURLY: { description: 'What is unread for an hour, at most every hour.' },
    DAILY: { description: 'What is unread for a day, at most every day.' },
  } as const satisfies Record<EmailDigest, object>,
});

const WeekdayRef = builder.enumType('Weekday', {
  description: 'A day of the week.',
  values: Object.fromEntries(
    WEEKDAYS.map((day) => [
      day,
      { description: `Quiet hours that begin on ${day.slice(0, 1)}${day.slice(1).toLowerCase()}.` },
    ]),
  ) as Record<(typeof WEEKDAYS)[number], { description: string }>,
});

const KindSettingRef = builder.objectRef<KindSetting>('DeliveryKindSetting').implement({
  description: 'When and how something of one kind is delivered.',
  fields: (t) => ({
    kind: t.expose('kind', { type: DeliveryKindRef, description: 'The kind that it is about.' }),
    mode: t.expose('mode', { type: DeliveryModeRef, description: 'Whether it is delivered.' }),
    delaySeconds: t.exposeInt('delaySeconds', {
      description: 'How long the first delivery waits, so that what follows is gathered with it.',
    }),
    windowSeconds: t.exposeInt('windowSeconds', {
      description: 'The least time between two deliveries for one room.',
    }),
    channels: t.field({
      type: [DeliveryChannelRef],
      description: 'How it is delivered, as far as these are set up.',
      extensions: { maxItems: DELIVERY_CHANNELS.length },
      resolve: ({ channels }) => [...channels],
    }),
  }),
});

const timeOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

const QuietHoursRef = builder.objectRef<QuietHours>('QuietHours').implement({
  description:
    'Local times in which nothing is delivered. What they hold back is sent as one summary when they end. If `from` is later than `to`, they continue past midnight.',
  fields: (t) => ({
    from: t.string({
      description: 'When they begin, as HH:MM.',
      resolve: ({ from }) => timeOf(from),
    }),
    to: t.string({ description: 'When they end, as HH:MM.', resolve: ({ to }) => timeOf(to) }),
    timeZone: t.exposeString('timeZone', {
      description: 'The IANA name of the time zone, e.g. `Asia/Tokyo`.',
    }),
    days: t.field({
      type: [WeekdayRef],
      description: 'The days on which they begin.',
      extensions: { maxItems: WEEKDAYS.length },
      resolve: ({ days }) => WEEKDAYS.filter((_, day) => days.includes(day)),
    }),
  }),
});

const SettingsRef = builder.objectRef<DeliverySettings>('DeliverySettings').implement({
  description: 'What the viewer chose about deliveries outside the page, with the defaults of the operator.',
  fields: (t) => ({
    kinds: t.field({
      type: [KindSettingRef],
      description: 'The settings of each kind.',
      extensions: { maxItems: DELIVERY_KINDS.length },
      resolve: (settings, _args, { services }) => services.deliverySettings.kindsOf(settings),
    }),
    quietHours: t.expose('quietHours', {
      type: QuietHoursRef,
      nullable: true,
      description: 'When nothing is delivered; null if there are no such times.',
    }),
    pausedUntil: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Nothing is delivered before this time; null if there is no pause.',
      resolve: ({ pausedUntil }, _args, { services }) =>
        services.deliverySettings.isPast(pausedUntil) || pausedUntil === null ? null : new Date(pausedUntil),
    }),
    hideText: t.exposeBoolean('hideText', {
      description: 'Whether deliveries say only that something happened, without names and rooms.',
    }),
    emailDigest: t.expose('emailDigest', {
      type: EmailDigestRef,
      description: 'How often what the viewer has not read is sent to them by e-mail.',
    }),
    email: t.string({
      nullable: true,
      description:
        'The address that digests go to; null if no verified address is known, or if the viewer wants none.',
      resolve: ({ email }) => email?.address ?? null,
    }),
    emailRefusedAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'When the mail server refused the address for good, which ended the digests; null if it did not, or after a digest was chosen again.',
      resolve: ({ emailRefusedAt }) => (emailRefusedAt === null ? null : new Date(emailRefusedAt)),
    }),
    sendsEmail: t.boolean({
      description: 'Whether the operator has set up e-mail.',
      resolve: (_settings, _args, { services }) => services.channels.mail !== undefined,
    }),
  }),
});

builder.objectField(ViewerRef, 'deliverySettings', (t) =>
  t.field({
    type: SettingsRef,
    description: 'What is delivered to the viewer outside the page, when and how.',
    resolve: ({ id }, _args, { services }) => services.deliverySettings.read(id),
  }),
);

builder.objectField(MembershipRef, 'delivery', (t) =>
  t.field({
    type: RoomDeliveryRef,
    nullable: true,
    description: "What of the room is delivered to the viewer; null on another user's membership.",
    resolve: ({ own }) => (own === null ? null : (own.delivery ?? 'DEFAULT')),
  }),
);

const isDistinct = (list: readonly unknown[]): boolean => new Set(list).size === list.length;
const listOf = <T>(values: readonly T[], what: string) =>
  z
    .array(z.custom<T>())
    .max(values.length)
    .refine(isDistinct, { message: `must name each ${what} once.` });
const seconds = wholeNumber(0, WINDOW_MAX_S).nullish();
const localTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { message: 'must be a time from 00:00 to 23:59.' });

const KindInput = builder.inputType('DeliveryKindInput', {
  description: 'What to change about one kind. An omitted field keeps its value; null restores the default.',
  fields: (t) => ({
    kind: t.field({ type: DeliveryKindRef, required: true, description: 'The kind to change.' }),
    mode: t.field({ type: DeliveryModeRef, description: 'Whether it is delivered.' }),
    delaySeconds: t.int({
      description: `How long the first delivery waits: 0 to ${WINDOW_MAX_S} seconds.`,
      validate: seconds,
    }),
    windowSeconds: t.int({
      description: `The least time between two deliveries for one room: 0 to ${WINDOW_MAX_S} seconds.`,
      validate: seconds,
    }),
    channels: t.field({
      type: [DeliveryChannelRef],
      description: `How it is delivered: at most ${DELIVERY_CHANNELS.length}, each once.`,
      validate: listOf(DELIVERY_CHANNELS, 'channel').nullish(),
    }),
  }),
});
const kindsField = z
  .array(z.custom<{ readonly kind: DeliveryKind }>())
  .max(DELIVERY_KINDS.length)
  .refine((kinds) => isDistinct(kinds.map(({ kind }) => kind)), { message: 'must name each kind once.' });

const QuietHoursInput = builder.inputType('QuietHoursInput', {
  description: 'Local times in which nothing is delivered.',
  fields: (t) => ({
    from: t.string({
      required: true,
      description: 'When they begin, as HH:MM.',
      validate: localTime,
    }),
    to: t.string({
      required: true,
      description: 'When they end, as HH:MM; not the same as `from`. Earlier than `from`: on the next day.',
      validate: localTime,
    }),
    timeZone: t.string({
      required: true,
      description: 'The IANA name of the time zone, e.g. `Asia/Tokyo`.',
      validate: timeZone,
    }),
    days: t.field({
      type: [WeekdayRef],
      description: 'The days on which they begin: 1 to 7, each once. Without it, every day.',
      validate: listOf(WEEKDAYS, 'day').min(1).nullish(),
    }),
  }),
  validate: z
    .custom<{ readonly from: string; readonly to: string }>()
    .refine(({ from, to }) => from !== to, { message: 'must end at another time than it begins.' }),
});

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

mutation('updateDeliverySettings', {
  description: 'Changes what is delivered to the viewer outside the page, when and how.',
  limit: 'profiles',
  inputDescription: 'The arguments of `updateDeliverySettings`. An omitted field keeps its value.',
  input: (t) => ({
    kinds: t.field({
      type: [KindInput],
      description: `The kinds to change: at most ${DELIVERY_KINDS.length}, each once.`,
      validate: kindsField.optional(),
    }),
    quietHours: t.field({
      type: QuietHoursInput,
      description: 'When nothing is delivered. Null removes them.',
    }),
    hideText: t.boolean({
      description: 'Whether deliveries say only that something happened.',
      validate: z.boolean().optional(),
    }),
    emailDigest: t.field({
      type: EmailDigestRef,
      description:
        "How often what the viewer has not read is sent to them by e-mail: to the address of the request's token, if the token says that it is verified (`email`, `email_verified`). `BAD_USER_INPUT` if the operator has not set up e-mail.",
      validate: z.custom<EmailDigest>().optional(),
    }),
  }),
  alsoWrong: ({ emailDigest }, { services }) => [wrongDigest(emailDigest, services)],
  resolve: async (viewer, { kinds, quietHours, hideText, emailDigest }, { services, identity }) => {
    const wrong = wrongDigest(emailDigest, services);
    if (wrong !== undefined) throw wrong;
    const hasMail = services.channels.mail !== undefined;
    const changes: SettingsChange = {
      ...(kinds == null
        ? {}
        : { kinds: new Map(kinds.map(({ kind, ...choice }) => [kind, defined(choice)] as const)) }),
      ...(quietHours === undefined ? {} : { quietHours: quietHours && quietHoursOf(quietHours) }),
      ...(hideText == null ? {} : { hideText }),
      ...(emailDigest == null ? {} : { emailDigest }),
      ...(hasMail ? defined({ email: verifiedAddress(identity ?? {}) }) : {}),
    };
    return { settings: await services.deliverySettings.change(viewer, changes) };
  },
  payload: (t) => ({
    settings: t.expose('settings', { type: SettingsRef, description: 'The new settings.' }),
  }),
});

const wrongDigest = (digest: EmailDigest | null | undefined, { channels }: Services) =>
  digest == null || digest === 'NEVER' || channels.mail !== undefined
    ? undefined
    : badUserInput('input.emailDigest', 'This server does not send e-mail.');

function quietHoursOf({ from, to, timeZone, days }: typeof QuietHoursInput.$inferInput): QuietHours {
  return {
    from: minutesOf(from),
    to: minutesOf(to),
    timeZone,
    days: WEEKDAYS.flatMap((name, day) => (days?.includes(name) === false ? [] : day)),
  };
}

mutation('pauseDeliveries', {
  description:
    'Delivers nothing to the viewer until a time. What the pause holds back is sent as one summary when it ends. `BAD_USER_INPUT` if the time is in the past, or more than a year away.',
  limit: 'profiles',
  input: (t) => ({
    until: t.field({ type: 'DateTime', description: 'The end of the pause. Null ends a pause.' }),
  }),
  resolve: async (viewer, { until }, { services }) => ({
    settings: await services.deliverySettings.pause(viewer, until?.getTime() ?? null, PAUSE_MAX_S * 1_000),
  }),
  payload: (t) => ({
    settings: t.expose('settings', { type: SettingsRef, description: 'The new settings.' }),
  }),
});

mutation('setRoomDelivery', {
  description: 'Chooses what of a room is delivered to the viewer outside the page. Idempotent.',
  limit: 'reading',
  input: (t) => ({
    roomId: t.id({ required: true, description: 'A room that the viewer is in.' }),
    delivery: t.field({ type: RoomDeliveryRef, required: true, description: 'What is delivered.' }),
  }),
  resolve: async (viewer, { roomId, delivery }, { services }) => ({
    membership: ownMembershipView(
      await services.deliverySettings.setRoom(
        viewer,
        roomIdOf(roomId),
        delivery === 'DEFAULT' ? null : delivery,
      ),
    ),
  }),
  payload: (t) => ({
    membership: t.expose('membership', {
      type: MembershipRef,
      description: "The viewer's membership, with the new `delivery`.",
    }),
  }),
});
