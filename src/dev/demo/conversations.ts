/** The demo's users, rooms and messages. */
export interface DemoPerson {
  readonly handle: string;
  readonly name: string;
}

export const people: readonly DemoPerson[] = [
  { handle: 'aki', name: 'Aki Tanaka' },
  { handle: 'ben', name: 'Ben Okafor' },
  { handle: 'chie', name: 'Chie Mori' },
  { handle: 'dana', name: 'Dana Levi' },
];

export interface DemoRoom {
  readonly name: string;
  readonly topic: string;
  readonly visibility: 'PUBLIC' | 'PRIVATE';
  /** Handles. The first one is the owner. */
  readonly members: readonly string[];
  /**
   * A line is `handle: text`, a root. With `>` before it, it is a reply to the root above. A line that begins with `+`
   * has the handles of the users who like the message above.
   */
  readonly lines: readonly string[];
}

export const rooms: readonly DemoRoom[] = [
  {
    name: 'Lobby',
    topic: 'Say hello. Everyone is here.',
    visibility: 'PUBLIC',
    members: ['aki', 'ben', 'chie', 'dana'],
    lines: [
      'aki: Good morning! The kettle is on.',
      'ben: Morning. Did the release go out last night?',
      '> chie: It did, at 23:40. Quiet since then.',
      '+ aki ben dana',
      '> ben: Lovely. Thank you for staying up.',
      '+ chie',
      'dana: New here, hello. Where do questions about the API go?',
      '> aki: Welcome, Dana! Engineering, or just ask me.',
      '+ dana',
      'chie: Reminder: lunch with the Osaka team at twelve.',
      '+ ben',
    ],
  },
  {
    name: 'Engineering',
    topic: 'How it is built, and why it broke',
    visibility: 'PUBLIC',
    members: ['chie', 'aki', 'ben'],
    lines: [
      'chie: Who is on call this week?',
      '> aki: I am, until Monday.',
      'ben: The badge in the staging app is right again: the last event had simply not been acknowledged.',
      'aki: I measured the timeline with a hundred thousand messages. Still one query.',
      '+ chie ben',
      '> chie: And the thread page?',
      '> aki: One as well. Replies are a range of their own.',
      '> ben: I will believe it when I see the read units.',
    ],
  },
  {
    name: 'Tea',
    topic: '茶の話',
    visibility: 'PUBLIC',
    members: ['ben', 'aki'],
    lines: [
      'ben: Someone brought hojicha. It smells wonderful.',
      'aki: 私です。どうぞ飲んでください。',
      '+ ben',
      '> ben: You are the best.',
    ],
  },
  {
    name: 'Birthday for Dana',
    topic: 'Not a word',
    visibility: 'PRIVATE',
    members: ['aki'],
    lines: ['aki: Cake or mochi?'],
  },
];

export interface DemoSave {
  /** A handle. */
  readonly by: string;
  /** How the message begins. */
  readonly text: string;
  readonly tags?: readonly string[];
  readonly note?: string;
  readonly isPublic?: boolean;
  /** Hours until the reminder. */
  readonly remindIn?: number;
}

/** What the users have saved, in that order. */
export const saves: readonly DemoSave[] = [
  { by: 'aki', text: 'Welcome, Dana!' },
  { by: 'aki', text: 'It did, at 23:40', tags: ['Releases'] },
  { by: 'aki', text: '私です', tags: ['Tea'] },
  {
    by: 'aki',
    text: 'Someone brought hojicha',
    tags: ['Tea', 'To buy'],
    note: 'From the shop at the station',
  },
  { by: 'ben', text: 'It did, at 23:40', tags: ['Releases'], isPublic: true },
  { by: 'ben', text: 'You are the best' },
  { by: 'aki', text: 'The badge in the staging app', tags: ['Releases', 'Bugs'] },
  { by: 'aki', text: 'One as well', tags: ['DynamoDB'], isPublic: true },
  {
    ...{ by: 'aki', text: 'I measured the timeline', tags: ['DynamoDB', 'Numbers'], isPublic: true },
    note: 'For the talk in spring',
  },
  { by: 'ben', text: 'I measured the timeline', tags: ['Numbers'], isPublic: true },
  { by: 'aki', text: 'Who is on call', remindIn: 48 },
  { by: 'aki', text: 'Reminder: lunch', tags: ['Osaka'], note: 'Bring the maps', remindIn: 26 },
];
