import { IntlMessageFormat } from 'intl-messageformat';
import type { Language } from './language.ts';

/** ICU messages by name, in one language. https://unicode-org.github.io/icu/userguide/format_parse/messages/ */
export type Messages<Name extends string> = Readonly<Record<Name, string>>;

/** Formats a message. Throws if an argument of it is missing, which is a fault of the program. */
export type Wording<Name extends string> = (language: Language, name: Name, values?: Values) => string;

/** Each message is parsed once, when it is first used. The product's messages bound the cache. */
export function createWording<Name extends string>(
  messages: Readonly<Record<Language, Messages<Name>>>,
): Wording<Name> {
  const parsed = new Map<string, IntlMessageFormat>();
  return (language, name, values) => {
    const key = `${language} ${name}`;
    // A name that a user chose may look like a tag. It is text.
    const format =
      parsed.get(key) ?? new IntlMessageFormat(messages[language][name], language, {}, { ignoreTag: true });
    parsed.set(key, format);
    return String(format.format(values === undefined ? undefined : isolated(values)));
  };
}

type Values = Readonly<Record<string, string | number>>;

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A right-to-left name between the characters FSI and PDI does not reorder the sentence around it. */
const isolated = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value,
    ]),
  );
