import { idFrom } from '../../../core/ids.ts';
import { toTimestamp } from '../../../core/timestamps.ts';
import type { Room } from '../../../rooms/room.ts';
import { MAX_ROOMS } from '../../../users/user.ts';
import type { Span } from './calendar.ts';
import { type Language, languages } from './languages/index.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';
import { type Theme, themes } from './themes.ts';

/** A member of a room. */
export interface PlannedMember {
  readonly person: Person;
  /** Milliseconds since 1970. */
  readonly joinedAt: number;
}

export interface RoomPlan {
  readonly room: Room;
  /** Roots and replies. */
  readonly messages: number;
  /** In the order of their joins. The first one owns the room. */
  readonly members: readonly PlannedMember[];
  readonly languages: readonly Language[];
  /** The share of conversations about work, from 0 to 1. */
  readonly work: number;
  readonly random: Random;
}

export interface RoomsOptions {
  readonly seed: string;
  readonly random: Random;
  readonly people: readonly Person[];
  readonly rooms: number;
  readonly messages: number;
  readonly span: Span;
}

const ID_LENGTH = 16;
/** Each user can join 100 more rooms. */
const ROOMS_EACH_MAX = MAX_ROOMS - 100;

export function planRooms({ seed, random, people, rooms, messages, span }: RoomsOptions): RoomPlan[] {
  const shares = messagesPerRoom(messages, rooms);
  const roomsOf = new Map<Person, number>();
  return shares.map((share, i): RoomPlan => {
    const own = random.fork(i);
    const theme = themes[i % themes.length] as Theme;
    const series = Math.floor(i / themes.length);
    const createdMs = Math.floor(span.from + own.float() * 0.15 * (span.until - span.from));
    const room: Room = {
      id: idFrom(`seed:${seed}:room:${i}`).slice(0, ID_LENGTH),
      name: series === 0 ? theme.name : `${theme.name} ${series + 1}`,
      topic: theme.topic,
      visibility: theme.secret === true ? 'PRIVATE' : 'PUBLIC',
      createdAt: toTimestamp(createdMs * 1000),
      version: 1,
    };
    const free = people.filter((person) => (roomsOf.get(person) ?? 0) < ROOMS_EACH_MAX);
    const chosen = chooseMembers(free, theme, own);
    for (const person of chosen) roomsOf.set(person, (roomsOf.get(person) ?? 0) + 1);
    return {
      room,
      messages: share,
      members: withJoinTimes(chosen, { from: createdMs, until: span.until }, own),
      languages: languagesOf(theme),
      work: theme.work,
      random: own,
    };
  });
}

/** The number of messages of each room: a few rooms have many and most have few. */
function messagesPerRoom(messages: number, rooms: number): number[] {
  const weights = Array.from({ length: rooms }, (_, i) => 1 / (i + 2) ** 0.8);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const parts = weights.map((weight) => Math.floor((messages * weight) / all));
  const rest = messages - parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part, i) => (i === 0 ? part + rest : part));
}

const languagesOf = ({ locales }: Theme): readonly Language[] =>
  locales === undefined ? languages : languages.filter(({ locale }) => locales.includes(locale));

/** People who speak a language of the room come first. */
function chooseMembers(people: readonly Person[], { share, locales }: Theme, random: Random): Person[] {
  const count = Math.min(people.length, Math.max(2, Math.round(share * people.length)));
  return people
    .map((person) => {
      const speaks = locales === undefined || locales.includes(person.language.locale);
      return { person, place: random.float() + (speaks ? 0 : 1) };
    })
    .sort((a, b) => a.place - b.place)
    .slice(0, count)
    .map(({ person }) => person);
}

/** The owner joins at the start, and most others early. */
function withJoinTimes(people: readonly Person[], { from, until }: Span, random: Random): PlannedMember[] {
  return people
    .map((person, i): PlannedMember => {
      const late = i === 0 ? 0 : random.float() ** 3 * 0.8;
      return { person, joinedAt: Math.floor(from + late * (until - from)) };
    })
    .sort((a, b) => a.joinedAt - b.joinedAt);
}
