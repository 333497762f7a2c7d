import { storedMention } from '../../../messages/mentions.ts';
import type { Exchange, Language } from './languages/index.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';

/** A message's text as it is stored. */
export interface MessageText {
  readonly body: string;
  readonly mentions: readonly string[];
}

export interface Conversation {
  /** The first message. */
  open(): MessageText;
  /** A reply: at first to the first message, later one that fits any message. */
  answer(): MessageText;
}

export interface ConversationOptions {
  readonly language: Language;
  /** How likely it is about work, from 0 to 1. */
  readonly work: number;
  readonly random: Random;
  /** Decides which texts are long. A sequence of its own, so that it does not change who says what. */
  readonly lengths: Random;
  /** A user to mention. */
  readonly randomMember: () => Person;
}

/** The share of texts that someone has written at length. */
const LONG = 0.01;
/** Their least size in bytes of UTF-8: over a kilobyte, so that they are items of their own. */
const BYTES = { min: 1_100, max: 4_000 } as const;

/** One conversation about a random subject. */
export function createConversation(options: ConversationOptions): Conversation {
  const { language, work, random, lengths, randomMember } = options;
  const exchanges = random.chance(work) ? language.work : language.life;
  const [opener, ...answers]: Exchange = random.pick(exchanges);
  const thing = random.pick(language.things);

  function fillIn(text: string): MessageText {
    const mentions: string[] = [];
    const body = filled(text, random, mentions);
    return { body: lengths.chance(LONG) ? lengthened(body, mentions) : body, mentions };
  }

  /** Adds the people that it mentions to the list. */
  function filled(text: string, from: Random, mentions: string[]): string {
    const body = text.replace(/\{(\w+)\}/g, (_, slot: string) => {
      switch (slot) {
        case 'thing':
          return thing;
        case 'place':
          return from.pick(language.places);
        case 'day':
          return from.pick(language.days);
        case 'time':
          return `${from.int(8, 19)}:${from.pick(['00', '15', '30', '45'])}`;
        case 'n':
          return String(from.int(2, 40));
        default: {
          const { id } = randomMember().user;
          if (!mentions.includes(id)) mentions.push(id);
          return storedMention(id);
        }
      }
    });
    return body.charAt(0).toLocaleUpperCase(language.locale) + body.slice(1);
  }

  /** The text, and others after it that mention no one. */
  function lengthened(text: string, mentions: string[]): string {
    const bytes = lengths.int(BYTES.min, BYTES.max);
    const others = exchanges.flat().filter((other) => !other.includes('{who}'));
    let body = text;
    while (Buffer.byteLength(body) < bytes) {
      body += `${lengths.chance(0.2) ? '\n\n' : ' '}${filled(lengths.pick(others), lengths, mentions)}`;
    }
    return body;
  }

  return {
    open: () => fillIn(opener),
    answer() {
      const fitting = answers.length > 0 && random.chance(0.75);
      if (!fitting) return fillIn(random.pick(language.remarks));
      const [answer = ''] = answers.splice(random.int(0, answers.length - 1), 1);
      return fillIn(answer);
    },
  };
}
