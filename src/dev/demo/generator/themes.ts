/**
 * What a room is about. If there are more rooms than themes, the list is used again, with numbers. The names differ
 * from those of the demo's rooms, which are in the same table.
 */
export interface Theme {
  readonly name: string;
  readonly topic: string;
  /** The share of all people who are members, from 0 to 1. */
  readonly share: number;
  /** The share of conversations about work, from 0 to 1. */
  readonly work: number;
  /** The languages of the room. Absent: all. */
  readonly locales?: readonly string[];
  readonly secret?: true;
}

export const themes: readonly Theme[] = [
  { name: 'Everyone', topic: 'News for all of us', share: 1, work: 0.5 },
  { name: 'Platform', topic: 'Servers, queues, and what woke us up', share: 0.4, work: 0.95 },
  { name: '東京オフィス', topic: '東京の皆さんへ', share: 0.25, work: 0.5, locales: ['ja'] },
  { name: 'Support', topic: 'What customers ask', share: 0.2, work: 0.9 },
  { name: 'Lunch', topic: 'Where, when, and who comes along', share: 0.3, work: 0.02 },
  { name: 'Releases', topic: 'What went out, and when', share: 0.35, work: 1 },
  { name: '雑談', topic: 'なんでもどうぞ', share: 0.15, work: 0.05, locales: ['ja'] },
  { name: 'Design', topic: 'Pixels and words', share: 0.15, work: 0.8 },
  { name: 'Oficina de Madrid', topic: 'Cosas de la casa', share: 0.12, work: 0.5, locales: ['es'] },
  { name: 'Leads', topic: 'Not for the notice board', share: 0.04, work: 0.9, secret: true },
  { name: 'Coffee', topic: 'コーヒーの話', share: 0.12, work: 0.02, locales: ['en', 'ja'] },
  { name: 'Berlin', topic: 'Alles aus dem dritten Stock', share: 0.1, work: 0.5, locales: ['de'] },
  { name: 'Mobile', topic: 'Small screens', share: 0.12, work: 0.95 },
  { name: '서울', topic: '서울 사무실 이야기', share: 0.08, work: 0.5, locales: ['ko'] },
  { name: 'On call', topic: 'Quiet, please', share: 0.06, work: 1 },
  { name: 'بيروت', topic: 'أخبار المكتب', share: 0.06, work: 0.5, locales: ['ar'] },
  { name: 'Running', topic: 'Slowly counts, too', share: 0.08, work: 0 },
  { name: 'Hiring', topic: 'People we would like to meet', share: 0.03, work: 0.9, secret: true },
  { name: 'Cats', topic: 'Photos, mostly', share: 0.2, work: 0 },
  { name: 'Films', topic: 'No endings, please', share: 0.1, work: 0 },
  { name: 'Data', topic: 'Numbers and where they come from', share: 0.1, work: 0.95 },
  { name: 'Books', topic: 'One a month', share: 0.07, work: 0.02 },
  { name: 'Birthday surprise', topic: 'Not a word', share: 0.03, work: 0, secret: true },
];
