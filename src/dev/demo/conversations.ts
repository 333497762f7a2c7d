/** The demo's users, rooms and messages: a company that writes English, and one that writes Japanese. */
export interface DemoPerson {
  readonly handle: string;
  readonly name: string;
  /** The language of their rooms. */
  readonly language: 'en' | 'ja';
}

export const people: readonly DemoPerson[] = [
  { handle: 'aki', name: 'Aki Tanaka', language: 'en' },
  { handle: 'ben', name: 'Ben Okafor', language: 'en' },
  { handle: 'chie', name: 'Chie Mori', language: 'en' },
  { handle: 'dana', name: 'Dana Levi', language: 'en' },
  { handle: 'haruka', name: '春野はるか', language: 'ja' },
  { handle: 'kenji', name: '石田健司', language: 'ja' },
  { handle: 'mio', name: '小川みお', language: 'ja' },
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
      `aki: Three things to try here:
- Open this page again as Ben, beside this one: messages, likes and badges arrive in both at once.
- Disconnect from the network and send: it arrives when you are back, exactly once.
- Save a message with a tag: you find it again among a million.`,
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
  {
    name: 'ロビー',
    topic: 'まずはここで挨拶を。全員が参加しています',
    visibility: 'PUBLIC',
    members: ['haruka', 'kenji', 'mio'],
    lines: [
      `haruka: まず試してほしいことが三つあります。
- このページを健司さんとしてもう一つ開いて並べてみてください。メッセージもいいねもバッジも、両方にすぐ届きます。
- ネットワークを切って送信してみてください。つながったときに、一度だけ届きます。
- メッセージにタグを付けて保存してみてください。百万件の中からでもすぐに見つかります。`,
      'haruka: おはようございます！お湯が沸いています。',
      'kenji: おはようございます。昨夜のリリースは無事に出ましたか？',
      '> mio: 23時40分に出ました。その後は静かです。',
      '+ haruka kenji',
      '> kenji: よかった。遅くまでありがとう。',
      '+ mio',
      'mio: お知らせ：今日の12時から大阪チームとお昼です。',
      '+ kenji',
    ],
  },
  {
    name: '開発',
    topic: '仕組みの話と、壊れたときの話',
    visibility: 'PUBLIC',
    members: ['mio', 'haruka', 'kenji'],
    lines: [
      'mio: 今週の当番は誰ですか？',
      '> haruka: 月曜日まで私です。',
      'haruka: 10万件のメッセージでタイムラインを測りました。クエリは一回のままです。',
      '+ mio kenji',
      '> mio: スレッドのほうは？',
      '> haruka: そちらも一回です。返信は一つの範囲にまとまっているので。',
    ],
  },
  {
    name: 'みおさんの誕生日',
    topic: '本人には内緒で',
    visibility: 'PRIVATE',
    members: ['haruka'],
    lines: ['haruka: ケーキとお餅、どちらがいいかな？'],
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
    by: 'aki',
    text: 'I measured the timeline',
    tags: ['DynamoDB', 'Numbers'],
    isPublic: true,
    note: 'For the talk in spring',
  },
  { by: 'ben', text: 'I measured the timeline', tags: ['Numbers'], isPublic: true },
  { by: 'aki', text: 'Who is on call', remindIn: 48 },
  { by: 'aki', text: 'Reminder: lunch', tags: ['Osaka'], note: 'Bring the maps', remindIn: 26 },
  { by: 'haruka', text: '23時40分に出ました', tags: ['リリース'] },
  {
    by: 'haruka',
    text: '10万件のメッセージ',
    tags: ['DynamoDB', '数字'],
    note: '春の発表で使う',
    isPublic: true,
  },
  { by: 'haruka', text: 'お知らせ', tags: ['大阪'], note: '地図を持っていく', remindIn: 26 },
];
