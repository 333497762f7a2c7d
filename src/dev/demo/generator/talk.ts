import { storedMention } from '../../../messages/mentions.ts';
import type { Exchange, Language } from './languages/index.ts';
import type { Person } from './people.ts';
import type { Random } from './random.ts';

/** What somebody says, as it is stored. */
export interface Words {
  readonly body: string;
  readonly mentions: readonly string[];
}

export interface Talk {
  /** How it begins. */
  open(): Words;
  /** An answer: at first to what was said, later to anything. */
  answer(): Words;
}

/** One conversation: what it is about is chosen here. `somebody` is asked for whoever is mentioned. */
export function createTalk(
  { language, work }: { readonly language: Language; readonly work: number },
  random: Random,
  somebody: () => Person,
): Talk {
  const exchanges = random.chance(work) ? language.work : language.life;
  const [opener, ...answers]: Exchange = random.pick(exchanges);
  const thing = random.pick(language.things);

  function filled(text: string): Words {
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
          const { id } = somebody().user;
          if (!mentions.includes(id)) mentions.push(id);
          return storedMention(id);
        }
      }
    });
    return { body: body.charAt(0).toLocaleUpperCase(language.locale) + body.slice(1), mentions };
  }

  return {
    open: () => filled(opener),
    answer() {
      const fitting = answers.length > 0 && random.chance(0.75);
      if (!fitting) return filled(random.pick(language.remarks));
      const [answer = ''] = answers.splice(random.int(0, answers.length - 1), 1);
      return filled(answer);
    },
  };
}
