import { DELIVERY_KINDS, type DeliveryWindows } from '../core/deliveryKinds.ts';
import type { Dynamo } from '../dynamo/dynamo.ts';
import { keyOf, keys, parseKey, ranges } from '../dynamo/keys.ts';
import { AGAIN } from '../dynamo/optimistic.ts';
import type { Write } from '../dynamo/write.ts';
import { setTimer } from '../timers/timer.ts';
import { timeByNow } from './arm.ts';
import { DIGEST, type Gathering, gatheringOf, gatheringTimer, gatheringWrite } from './gathering.ts';
import { type DeliverySettings, digestSeconds, holdOf, settingsOf, summaryAt } from './settings/settings.ts';

const KINDS = [...DELIVERY_KINDS, DIGEST] as const;
/** The most gatherings of a person, open or not, that are read. There is one for each kind and room. */
const LOOKED_AT_MAX = 1_000;
/** Each is two writes of a transaction, which may have a hundred. */
const MOVED_TOGETHER = 25;

/** With the digest, which comes first. One read. */
export async function gatheringsOf(dynamo: Pick<Dynamo, 'query'>, user: string): Promise<Gathering[]> {
  const { items } = await dynamo.query(ranges.gatherings(user), { limit: LOOKED_AT_MAX });
  return items.flatMap((item) => {
    const key = parseKey(keyOf(item));
    const kind = key.type === 'gathering' ? KINDS.find((known) => known === key.kind) : undefined;
    if (key.type !== 'gathering' || kind === undefined) return [];
    return [gatheringOf({ user, kind, room: key.room }, item)];
  });
}

interface Move {
  readonly dueAt: number;
  /** Default: it waits for the end of quiet hours or of a pause. */
  readonly held?: boolean;
  /** A part of the transaction. */
  readonly check?: Write;
}

/** Resolves to false, with nothing written, if the gathering changed since it was read, or if `check` does not hold. */
export async function moveGathering(
  dynamo: Pick<Dynamo, 'tryTransact'>,
  before: Gathering,
  { dueAt, held = true, check }: Move,
): Promise<boolean> {
  const failed = await dynamo.tryTransact({ move: moveWrites(before, dueAt, held), check });
  return failed === undefined;
}

/** Two writes. The timer of the time before finds that it is not the gathering's any more. */
export const moveWrites = (before: Gathering, dueAt: number, held = true): Write[] => [
  gatheringWrite(before, { ...before, dueAt, held }),
  setTimer(gatheringTimer(before, dueAt)),
];

export interface ReleaseOptions {
  readonly dynamo: Dynamo;
  /** The operator's default windows. A user's own settings override them. */
  readonly windows: DeliveryWindows;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The earliest time of a digest: the person's interval after the last one, and after the first of what waits. */
export function digestFrom({ digest, sentAt }: Gathering, settings: DeliverySettings): number {
  const seconds = digestSeconds(settings);
  // It ends at once.
  return seconds === null ? 0 : Math.max(digest?.since ?? 0, sentAt) + seconds * 1_000;
}

/**
 * Moves what waits forward to the time that the person's settings say now. If that time is later, each finds out at its
 * own. Of what is held, the first one moves: its decision takes the others with it. The first reminder as well, because
 * reminders pass quiet hours. The digest moves by itself. One read, one query, three transactions at most, and one for
 * each MOVED_TOGETHER of what has a shorter wait or window now.
 */
export function createRelease({ dynamo, windows, now }: ReleaseOptions) {
  return (user: string): Promise<void> =>
    dynamo.optimistic(async () => {
      const settings = settingsOf(await dynamo.get(keys.deliverySettings(user)));
      const freeAt = ({ kind }: Gathering) => {
        const hold = holdOf(settings, now(), [kind]);
        return hold === null ? now() : summaryAt(user, hold);
      };
      const all = await gatheringsOf(dynamo, user);
      const digest = all.find(({ kind }) => kind === DIGEST);
      const times = all.flatMap((one) =>
        one !== digest && one.held && one.dueAt !== null ? [{ one, at: one.dueAt }] : [],
      );
      times.sort((a, b) => a.at - b.at);
      const isReminder = ({ one }: (typeof times)[number]) => one.kind === 'REMINDER';
      const firsts = [times.find((time) => !isReminder(time)), times.find(isReminder)];
      const moves = [
        ...firsts.flatMap((first) =>
          first === undefined ? [] : [{ one: first.one, dueAt: freeAt(first.one) }],
        ),
        ...(digest === undefined
          ? []
          : [{ one: digest, dueAt: Math.max(freeAt(digest), digestFrom(digest, settings)) }]),
      ];
      for (const { one, dueAt } of moves) {
        if (one.dueAt === null || one.dueAt <= dueAt) continue;
        if (!(await moveGathering(dynamo, one, { dueAt, held: one.held }))) return AGAIN;
      }
      const earlier = all.flatMap((one) => earlierOf(one, settings));
      for (let from = 0; from < earlier.length; from += MOVED_TOGETHER) {
        const some = earlier.slice(from, from + MOVED_TOGETHER);
        const failed = await dynamo.tryTransact({
          moves: some.flatMap(({ one, dueAt }) => moveWrites(one, dueAt, false)),
        });
        if (failed !== undefined) return AGAIN;
      }
      return undefined;
    });

  /** None if it does not move. */
  function earlierOf(one: Gathering, settings: DeliverySettings) {
    const at = one.held ? undefined : timeByNow(one, settings, windows);
    const dueAt = at === undefined ? Number.POSITIVE_INFINITY : Math.ceil(Math.max(at, now()));
    return one.dueAt !== null && dueAt < one.dueAt ? [{ one, dueAt }] : [];
  }
}
