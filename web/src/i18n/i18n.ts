import { IntlMessageFormat } from 'intl-messageformat';
import { createContext, use } from 'react';
import type { ApiError } from '../api/errors.ts';
import { keep } from '../state/keep.ts';
import type { TextKey, Texts } from './en.ts';
import { type Language, languages } from './texts.ts';
import { startOfDay } from './useToday.ts';
import { zoneOf, zoneOfBrowser } from './zone.ts';

export type { TextKey } from './en.ts';

/** What the words for an error depend on. */
export type Problem = Pick<ApiError, 'code'> & Partial<Pick<ApiError, 'reason' | 'limit' | 'errorId'>>;

export interface I18n {
  readonly language: Language;
  t(key: TextKey, values?: Readonly<Record<string, string | number>>): string;
  /** The text of a key that may not exist, without values. */
  find(key: string): string | undefined;
  /** Says what went wrong and what the user can do about it. */
  problem(error: Problem): string;
  /** "1,234". */
  number(value: number): string;
  time(at: string): string;
  /** A heading for a day: "Today", "Yesterday" or the date. */
  day(at: string): string;
  dateTime(at: string): string;
  /**
   * A short date and time, by the clock of the zone that a user has chosen: "Tue 1 Dec, 14:30". It has the year if that
   * is another one, and names the zone if the browser is in another.
   */
  dateTimeIn(zone: string | null, at: string): string;
  /** The time now in a time zone, with the day: "Mon 14:30". Undefined if the browser does not know the zone. */
  timeIn(timeZone: string): string | undefined;
  /** "5 minutes ago". */
  ago(at: string): string;
  /** "In 5 days". */
  until(at: string): string;
  /** The user's choice. It is stored in this browser. Resolves when the page is in that language, or cannot be now. */
  setLanguage(language: Language): Promise<void>;
  /** Uses the language of the viewer's profile (BCP 47), unless one was chosen in this browser. */
  follow(locale: string): void;
}

const DAY_MS = 86_400_000;

export type LanguageActions = Pick<I18n, 'setLanguage' | 'follow'>;

export interface I18nOptions {
  readonly language: Language;
  readonly texts: Texts;
  readonly actions: LanguageActions;
  /** The moment the current day began, in milliseconds since 1970. */
  readonly today: number;
  /** The browser's languages (BCP 47). Dates are written differently by region: en-GB has the day first. */
  readonly tags: readonly string[];
  /** Hours on a clock. */
  readonly clock: '12' | '24';
}

export function createI18n({ language, texts, actions, today, tags, clock }: I18nOptions): I18n {
  const regional = tags.find((tag) => languageOf(tag) === language) ?? language;
  const formats = new Map<TextKey, IntlMessageFormat>();
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(regional, options);
  const hourCycle = clock === '12' ? 'h12' : 'h23';
  const time = format({ hour: clock === '12' ? 'numeric' : '2-digit', minute: '2-digit', hourCycle });
  const day = format({ weekday: 'long', month: 'long', day: 'numeric' });
  const dayOfYear = format({ year: 'numeric', month: 'long', day: 'numeric' });
  const dateTime = format({ dateStyle: 'full', timeStyle: 'short', hourCycle });
  const shortDateTime = (timeZone: string, date: Date) => {
    const year = format({ year: 'numeric', timeZone });
    return format({
      ...(year.format(date) === year.format(today) ? {} : { year: 'numeric' }),
      month: 'short',
      day: 'numeric',
      weekday: 'short',
      hour: clock === '12' ? 'numeric' : '2-digit',
      minute: '2-digit',
      hourCycle,
      timeZone,
    }).format(date);
  };
  const number = new Intl.NumberFormat(regional);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });

  function t(key: TextKey, values: Readonly<Record<string, string | number>> = {}): string {
    let message = formats.get(key);
    if (message === undefined) {
      const text = texts[key];
      if (isPlain(text)) return text;
      message = new IntlMessageFormat(text, language);
      formats.set(key, message);
    }
    return String(message.format(isolated(values)));
  }

  function inWords(seconds: number): string {
    const size = Math.abs(seconds);
    if (size < 60) return relative.format(0, 'second');
    if (size < 3600) return relative.format(Math.round(seconds / 60), 'minute');
    if (size < 86_400) return relative.format(Math.round(seconds / 3600), 'hour');
    return relative.format(Math.round(seconds / 86_400), 'day');
  }

  return {
    language,
    t,
    find: (key) => (isKeyOf(texts, key) ? t(key) : undefined),
    problem: ({ code, reason, limit, errorId }) =>
      reason === undefined
        ? t(`error.${code}`, { limit: limit ?? 'none', errorId: errorId ?? 'none' })
        : t(`conflict.${reason}`),
    number: (value) => number.format(value),
    time: (at) => time.format(new Date(at)),
    day(at) {
      const date = new Date(at);
      const ago = Math.round((today - startOfDay(date)) / DAY_MS);
      if (ago === 0) return t('timeline.today');
      if (ago === 1) return t('timeline.yesterday');
      return (date.getFullYear() === new Date(today).getFullYear() ? day : dayOfYear).format(date);
    },
    dateTime: (at) => dateTime.format(new Date(at)),
    dateTimeIn(chosen, at) {
      const zone = zoneOf(chosen);
      const written = shortDateTime(zone, new Date(at));
      return zone === zoneOfBrowser() ? written : `${written} (${zone})`;
    },
    timeIn(timeZone) {
      try {
        const hour = clock === '12' ? 'numeric' : '2-digit';
        return format({ weekday: 'short', hour, minute: '2-digit', hourCycle, timeZone }).format(new Date());
      } catch {
        return undefined;
      }
    },
    // The server's clock may be ahead: a recent event must not appear to be in the future.
    ago: (at) => inWords(Math.min(0, secondsTo(at))),
    until: (at) => inWords(Math.max(0, secondsTo(at))),
    ...actions,
  };
}

/**
 * Whether a text is shown as it is. The build has parsed all others (`web/build/compiledTexts.ts`): they are trees, and
 * the page has no parser.
 */
const isPlain = (text: string): boolean => typeof text === 'string' && !/['{<]/.test(text);

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A right-to-left name between the characters FSI and PDI does not reorder the sentence around it. */
const isolated = (values: Readonly<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value,
    ]),
  );

const secondsTo = (at: string) => Math.round((Date.parse(at) - Date.now()) / 1000);

const isKeyOf = (texts: Texts, key: string): key is TextKey => Object.hasOwn(texts, key);

const PLACE = 'tsudoi:language';

/** The language chosen before. Otherwise the first of the browser's languages that has a translation, or English. */
export const languageAtStart = (): Language =>
  keptLanguage() ?? navigator.languages.map(languageOf).find((language) => language !== undefined) ?? 'en';

/** The language chosen in this browser, if any. */
export function keptLanguage(): Language | undefined {
  const kept = localStorage.getItem(PLACE) ?? '';
  return isLanguage(kept) ? kept : undefined;
}

export const keepLanguage = (language: Language): void => void keep(localStorage, PLACE, language);

/** The language of a BCP 47 tag. Undefined if there is no translation for it. */
export function languageOf(locale: string): Language | undefined {
  const tag = locale.slice(0, 2);
  return isLanguage(tag) ? tag : undefined;
}

const isLanguage = (tag: string): tag is Language => tag in languages;

export const I18nContext = createContext<I18n | undefined>(undefined);

export function useI18n(): I18n {
  const i18n = use(I18nContext);
  if (i18n === undefined) throw new Error('No language is set.');
  return i18n;
}
