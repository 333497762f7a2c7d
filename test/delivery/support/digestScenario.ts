/** Someone who has digests, with people and rooms to have news of, and what a digest says. */
import type { EmailDigest } from '../../../src/delivery/settings/settings.ts';
import { openDeliverySystem, type Person } from './deliverySystem.ts';
import type { MailServer, ReceivedMail } from './mailServer.ts';

export const addressOf = ({ handle }: Person): string => `${handle}@example.org`;

/** Aki has digests by the mail server. */
export async function openDigestScenario(server: MailServer, emailDigest: EmailDigest = 'MINUTES_15') {
  const system = await openDeliverySystem({ mail: server.config() });
  const [aki, ben, chi] = (await Promise.all(['Aki', 'Ben', 'Chi'].map((name) => system.create(name)))) as [
    ...[Person, Person, Person],
  ];
  const room = await system.room('Lunch', aki, ben, chi);
  const other = await system.room('Dinner', aki, ben, chi);
  const say = (author: Person, body: string, to = room) =>
    system.services.messages.send({ author: author.id, room: to, body });
  const message = await say(aki, 'Hello.');
  const choose = (person: Person, digest: EmailDigest) =>
    system.settings.change(person.id, {
      emailDigest: digest,
      email: { address: addressOf(person), tokenAt: 0 },
    });
  await choose(aki, emailDigest);
  await system.pass(0);
  return {
    ...system,
    aki,
    ben,
    chi,
    room,
    other,
    message,
    say,
    choose,
    like: (person: Person) => system.services.likes.add(person.id, message),
    mention: (author: Person, to = room) => say(author, `@${aki.handle} Look! A secret.`, to),
    outcomes: async () =>
      (await system.deliveriesOf(aki)).map(({ kinds, outcome }) => `${kinds}: ${outcome}`),
  };
}

/** What the text says that happened, each with its room: after the first paragraph, before the last ones. */
export const partsOf = (mail: ReceivedMail | undefined): string[] =>
  (mail?.text ?? '')
    .replaceAll('\u2060', '')
    .split('\n\n')
    .slice(1, -2)
    .flatMap((paragraph) => {
      const [room, ...lines] = paragraph.split('\n');
      return lines.filter((_, i) => i % 2 === 0).map((text) => `${room}: ${text}`);
    });
