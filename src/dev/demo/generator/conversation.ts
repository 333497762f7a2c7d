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

/** One conversation about a random subject. `randomMember` returns the users that it mentions. */
export function createConversation(
  { language, work }: { readonly language: Language; readonly work: number },
  random: Random,
  randomMember: () => Person,
): Conversation {
  const exchanges = random.chance(work) ? language.work : language.life;
  const [opener, ...answers]: Exchange = random.pick(exchanges);
  const thing = random.pick(language.things);

  function fillIn(text: string): MessageText {
    const mentions: string[] = [];
    const body = text.replace(/\{(\w+)\}/g, (_, slot: string) => {
      switch (slot) {
        case 'thing':
          return thing;
        case 'place':
          return random.pick(language.places);
        case 'day':
          return random.pick(language.days);
        case 'time':
          return `${random.int(8, 19)}:${random.pick(['00', '15', '30', '45'])}`;
        case 'n':
          return String(random.int(2, 40));
        default: {
          const { id } = randomMember().user;
          if (!mentions.includes(id)) mentions.push(id);
          return storedMention(id);
        }
      }
    });
    return { body: body.charAt(0).toLocaleUpperCase(language.locale) + body.slice(1), mentions };
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
