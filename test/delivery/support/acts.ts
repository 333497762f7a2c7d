/**
 * What people did, and what deliveries must say of it. It knows nothing of the product but its sentences: a list of
 * acts takes the place of notifications, gatherings and positions.
 */
import { expect } from 'vitest';
import type { Language } from '../../../src/i18n/language.ts';

export const TOLD_KINDS = ['MENTION', 'REPLY', 'LIKE', 'MESSAGE'] as const;
export type ToldKind = (typeof TOLD_KINDS)[number];

/** What one notification is about: a message, a thread, or the messages of a room. */
export interface Subject {
  readonly kind: ToldKind;
  readonly room: string;
  /** The time of the message or the root; empty for the messages of a room. */
  readonly about: string;
}

/** Something that one person did, as another one is notified of it. */
export interface Act extends Subject {
  /** The user who is notified. */
  readonly to: string;
  /** The user who did it. */
  readonly by: string;
  /** Rises, as text, with the acts of one kind. */
  readonly order: string;
  /** The message that it was, if it was one. */
  readonly message: string;
  /** MESSAGE: it mentions the person, who is notified of that instead. */
  readonly names: boolean;
  /** The stream was read since. */
  derived: boolean;
  /** It is known whether the person is notified of it. Otherwise the words may count it or not. */
  certain: boolean;
  /** If nothing happens to it, a delivery must count it. */
  owed: boolean;
  /** It happened during a decision, which may have been too late for it. */
  meanwhile: boolean;
  read: boolean;
  undone: boolean;
  told: boolean;
}

const isSame = (a: Subject, b: Subject): boolean =>
  a.kind === b.kind && a.room === b.room && a.about === b.about;

const isThere = ({ derived, read, undone }: Act): boolean => derived && !read && !undone;

interface Words {
  readonly title: string;
  readonly text: string;
}

/** A delivery that was sent. */
export interface SentWords extends Words {
  readonly to: string;
  readonly language: Language;
  readonly subjects: readonly Subject[];
}

export interface ActsOptions {
  readonly nameOf: (user: string) => string;
  readonly roomName: (room: string) => string;
  /** Whether the person is notified of a message that mentions them as of any other. */
  readonly countsNamed: (user: string) => boolean;
  /** Whether the user who is notified has blocked the other one now. */
  readonly isBlocked: (act: Pick<Act, 'to' | 'by'>) => boolean;
}

export function createActs({ nameOf, roomName, countsNamed, isBlocked }: ActsOptions) {
  let acts: Act[] = [];

  const isLeft = (act: Act): boolean => isThere(act) && !isBlocked(act);

  const find = (which: (act: Act) => boolean): Act[] => acts.filter(which);

  const isMissing = (act: Act): boolean =>
    isLeft(act) && act.owed && !act.told && !act.meanwhile && !(act.kind === 'MESSAGE' && act.names);

  /** All that is owed of these kinds and rooms is in it, something in each is news, and the words are right. */
  function checkSent(sent: SentWords): void {
    const { to, subjects } = sent;
    const groups = new Set(subjects.map(({ kind, room }) => `${kind} ${room}`));
    const own = acts.filter((act) => act.to === to);
    const isIn = (act: Act) => subjects.some((subject) => isSame(subject, act));
    const missing = own.filter(
      (act) => groups.has(`${act.kind} ${act.room}`) && isMissing(act) && !isIn(act),
    );
    expect(missing).toEqual([]);
    for (const subject of subjects) {
      const news = own.filter((act) => isSame(subject, act) && isLeft(act) && !act.told);
      expect({ subject, news: news.length > 0 }).toEqual({ subject, news: true });
    }
    checkWords(
      sent,
      // A notification grows until it is read. Messages of a room are sent once.
      own.filter((act) => isIn(act) && isLeft(act) && !(act.kind === 'MESSAGE' && act.told)),
    );
    // It was decided, also of those who are blocked.
    for (const act of own) if (isIn(act) && isThere(act) && !act.meanwhile) act.told = true;
  }

  function checkWords({ to, subjects, language, title, text }: SentWords, counted: readonly Act[]): void {
    const rooms = [...new Set(subjects.map(({ room }) => room))];
    const kinds = [...new Set(subjects.map(({ kind }) => kind))];
    const [room = ''] = rooms;
    const [kind] = kinds;
    expect(title).toBe(rooms.length === 1 ? roomName(room) : 'Tsudoi');
    if (kind === undefined || kinds.length > 1 || rooms.length > 1) {
      expect(text).toBe(SUMMARIES[language](subjects.length));
      return;
    }
    const named = counted.filter(({ names }) => !names || countsNamed(to));
    const certain = named.filter((act) => act.certain && !act.names);
    const words = (some: readonly Act[]) => wordsOf(language, kind, peopleIn(some), subjects.length);
    if (certain.length === named.length) {
      expect(text).toBe(words(certain));
      return;
    }
    // Which people there are is open, and so are the names. Their number has bounds.
    const possible = Array.from({ length: peopleIn(named).length }, (_, i) => i + 1).filter(
      (count) => count >= peopleIn(certain).length,
    );
    const names = peopleIn(named);
    const texts = possible.flatMap((count) =>
      names.flatMap((first) =>
        (count === 2 ? names : ['']).map((second) =>
          wordsOf(language, kind, [first, second, ...names, ...names].slice(0, count), subjects.length),
        ),
      ),
    );
    expect(texts).toContain(text);
  }

  /** The names of distinct people, those of the newest first. */
  function peopleIn(some: readonly Act[]): string[] {
    const newestFirst = [...some].sort((a, b) => (a.order < b.order ? 1 : -1));
    return [...new Set(newestFirst.map(({ by }) => by))].map(nameOf);
  }

  return {
    find,
    add: (act: Pick<Act, 'to' | 'by' | 'kind' | 'room' | 'about' | 'order'> & Partial<Act>): void => {
      acts.push({
        message: '',
        names: false,
        derived: false,
        certain: true,
        owed: true,
        meanwhile: false,
        read: false,
        undone: false,
        told: false,
        ...act,
      });
    },
    /** Nothing is ever sent about them. */
    drop: (which: (act: Act) => boolean): void => {
      acts = acts.filter((act) => !which(act));
    },
    checkSent,
    /** A decision of this kind and room sent nothing: nothing was owed. */
    checkNotSent(to: string, kind: ToldKind, room: string): void {
      const own = acts.filter((act) => act.to === to && act.kind === kind && act.room === room);
      expect(own.filter(isMissing)).toEqual([]);
      for (const act of own) if (isThere(act) && !act.meanwhile) act.told = true;
    },
    /** After the checks of a decision. */
    endMeanwhile(): void {
      for (const act of acts) if (act.meanwhile) Object.assign(act, { meanwhile: false, owed: false });
    },
    /** Time has passed in which everything could be delivered. */
    checkNothingOwed: (): void => expect(acts.filter(isMissing)).toEqual([]),
  };
}

const SUMMARIES: Readonly<Record<Language, (count: number) => string>> = {
  en: (count) => `${count} new notification${count === 1 ? '' : 's'}`,
  ja: (count) => `新しい通知が${count}件あります`,
};

const EN: Readonly<Record<ToldKind, (subjects: number) => string>> = {
  MENTION: () => 'mentioned you',
  REPLY: (count) => (count === 1 ? 'replied in a thread' : `replied in ${count} threads`),
  LIKE: (count) => (count === 1 ? 'liked your message' : `liked ${count} of your messages`),
  MESSAGE: () => 'posted',
};

const JA: Readonly<Record<ToldKind, (subjects: number) => string>> = {
  MENTION: () => 'があなたをメンションしました',
  REPLY: (count) => `が${count === 1 ? 'スレッド' : `${count}件のスレッド`}に返信しました`,
  LIKE: (count) => `があなたの${count === 1 ? 'メッセージ' : `${count}件のメッセージ`}に「いいね」しました`,
  MESSAGE: () => 'が投稿しました',
};

/** `people`: distinct, the newest first. */
function wordsOf(language: Language, kind: ToldKind, people: readonly string[], subjects: number): string {
  const [first, second] = people;
  const others = people.length - 1;
  if (language === 'ja') {
    const who =
      others === 0
        ? `${first}さん`
        : others === 1
          ? `${first}さんと${second}さん`
          : `${first}さんと他${others}人`;
    return who + JA[kind](subjects);
  }
  const who =
    others === 0 ? first : others === 1 ? `${first} and ${second}` : `${first} and ${others} others`;
  return `${who} ${EN[kind](subjects)}`;
}
