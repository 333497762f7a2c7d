import pLimit from 'p-limit';
import { newId } from '../../core/ids.ts';
import { createKeyedMutex } from '../../core/keyedMutex.ts';
import type { Dynamo } from '../../dynamo/dynamo.ts';
import { AGAIN, optimistic } from '../../dynamo/optimistic.ts';
import type { Retention } from '../notification.ts';
import type { Activity } from './act.ts';
import { grouped } from './grouped.ts';
import { fold } from './reducer.ts';
import { createTellings } from './store.ts';

/** Actors of one transaction; with what they are told in, far below DynamoDB's 100 items. */
const ACTORS_MAX = 25;
/** People who are told side by side. */
const PEOPLE_AT_ONCE = 16;

export interface NotifierOptions {
  readonly dynamo: Dynamo;
  readonly retention: Retention;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Told of every notification that was made or has changed. */
  readonly onChange?: (kind: Activity['kind']) => void;
}

export type Notifier = ReturnType<typeof createNotifier>;

/** Tells people what others did. */
export function createNotifier({ dynamo, retention, now = Date.now, onChange }: NotifierOptions) {
  const tellings = createTellings({ dynamo, retention });
  /** All that one person is told changes their badge: in one process it does so one after another. */
  const people = createKeyedMutex();

  /**
   * Folds these acts into what people are told, those of each kind and message in the order given. Twice is as
   * good as once. What belongs together is read in two round trips and written in one transaction, whose
   * conditions hold what was read; acts of up to ACTORS_MAX people share it, so that many cost less than one by
   * one. Resolves to how many notifications were made or have changed. Throws UNAVAILABLE where one of them
   * could not be told, with others perhaps told already.
   */
  async function notify(acts: readonly Activity[]): Promise<number> {
    const byUser = grouped(acts, ({ user }) => user);
    let changed = 0;
    await pLimit(PEOPLE_AT_ONCE).map(byUser, (own) =>
      people.run(own[0]?.user ?? '', async () => {
        for (const part of grouped(own, subjectOf).flatMap(parts)) {
          if (!(await tell(part))) continue;
          changed++;
          onChange?.(part[0].kind);
        }
      }),
    );
    return changed;
  }

  /** Acts of one kind on one message that one person is told of; resolves to whether that was news to them. */
  function tell(acts: readonly [Activity, ...Activity[]]): Promise<boolean> {
    const id = newId();
    return optimistic(async () => {
      const { before, ...hearing } = await tellings.load(acts);
      const { epoch } = before.badge;
      const terms = { ...hearing, id, epoch, now: Math.floor(now() / 1_000), retention };
      const after = acts.reduce((telling, act) => fold(telling, act, terms), before.telling);
      if (after === before.telling) return false;
      // The recipient has read it meanwhile, or another consumer was here.
      if (!(await tellings.save(before, after))) return AGAIN;
      return after.current !== before.telling.current;
    });
  }

  return { notify };
}

const subjectOf = ({ kind, room, t, c }: Activity): string => `${kind} ${room} ${t} ${c}`;

/** In order, cut so that each part has at most ACTORS_MAX people. */
function parts(acts: readonly Activity[]): Array<[Activity, ...Activity[]]> {
  const cut: Array<[Activity, ...Activity[]]> = [];
  let actors = new Set<string>();
  for (const act of acts) {
    const part = cut.at(-1);
    if (part === undefined || (actors.size >= ACTORS_MAX && !actors.has(act.actor))) {
      cut.push([act]);
      actors = new Set();
    } else {
      part.push(act);
    }
    actors.add(act.actor);
  }
  return cut;
}
