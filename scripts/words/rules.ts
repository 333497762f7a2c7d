/** The words that this project does not use, each with what to write instead. Plain English is in CONTRIBUTING.md. */

export interface Rule {
  /** Appears in findings and counts. */
  readonly name: string;
  /**
   * With the flag `g`. In the text that it is applied to, code in backquotes is replaced by `CODE`; line breaks are
   * kept.
   */
  readonly pattern: RegExp;
  readonly instead: string;
  /** Matches only at the beginning of a sentence that is not a question. */
  readonly begins?: true;
  /** Also applies to string literals of one word, which are texts for users or values in code. */
  readonly oneWord?: true;
  /** Matches the unchanged text of every file that breaks the rule. Default: `pattern`. */
  readonly hint?: RegExp;
}

/** Replaces each character of code in backquotes, so that positions stay. */
export const CODE = '\u0001';

/** A "where" after one of these means a place. */
const PLACE_BEFORE =
  '(?<!\\b(?:places?|points?|positions?|files?|folders?|director(?:y|ies)|pages?|lines?|sections?|cells?|spots?|' +
  'knows?|sa(?:y|ys|id)|shows?|sees?|asks?|remembers?|from|to|of|is|are|was|exactly|just|decides?|finds?|look|' +
  'tells?|near|records?|and|or|wherever)\\s+)';

/** What follows "where" in the sense of "if". */
const CONDITION_AFTER =
  '(?=\\s+(?:there\\s+(?:is|are|was|were)|nothing|nobody|none|no|something|somebody|one\\s+of|(?:it|they|he|this|that|' +
  'these|those)\\s+(?:is|are|was|were|has|have|had|may|can|does|do|did|cannot|would)|(?:a|an)\\s+\\w+\\s+(?:is|are|' +
  'was|were|has|fails?|gives?|needs?))\\b)';

const words = (pattern: string): RegExp => new RegExp(String.raw`\b(?:${pattern})\b`, 'gi');

export const rules: readonly Rule[] = [
  {
    name: 'whoever',
    pattern: words('who(?:so)?ever|whomever'),
    instead: 'anyone who, users who, the caller, the client',
    oneWord: true,
  },
  { name: 'whatever', pattern: words('whatever|whatsoever'), instead: 'anything that, everything that, any' },
  { name: 'somebody', pattern: words('somebody'), instead: 'a user, a member, someone', oneWord: true },
  { name: 'anybody', pattern: words('anybody'), instead: 'a user, anyone', oneWord: true },
  { name: 'nobody', pattern: words('nobody'), instead: 'no one, no user, no client', oneWord: true },
  {
    name: 'everybody',
    pattern: words('everybody'),
    instead: 'everyone, all users, all members',
    oneWord: true,
  },
  { name: 'oneself', pattern: words('oneself'), instead: 'yourself, themselves, the viewer' },
  {
    name: 'so many',
    pattern: words(String.raw`so\s+many`),
    instead: 'the number: "at most 50", "n of them"',
  },
  { name: 'as many', pattern: words(String.raw`as\s+many`), instead: 'the number, or "the same number of"' },
  {
    name: 'so long',
    pattern: words(String.raw`so\s+long(?!\s+as)`),
    instead: 'the time: "5 seconds", "that long"',
  },
  { name: 'mend', pattern: words('mend(?:s|ed|ing)?'), instead: 'fix, repair, correct' },
  { name: 'hear', pattern: words('hears?|heard|hearing'), instead: 'receive, get, be notified of' },
  {
    name: 'tell',
    pattern: /\b(?:tells?|told|telling)\b(?!(?:\s+\S+){0,4}\s+apart\b)/gi,
    instead: 'send, publish, notify, return, say, report',
  },
  {
    name: 'stand',
    pattern: /(?<!-)\b(?:stands?|stood)\b(?!-|\s+for\b|\s+in\s+for\b)/gi,
    instead: 'is, is stored, is written',
  },
  { name: 'lie', pattern: words('lies?|lay'), instead: 'is, is stored, is between' },
  { name: 'bear', pattern: words('bears?|borne'), instead: 'can hold, has, carries, can handle' },
  { name: 'besides', pattern: words('besides'), instead: 'in addition to, apart from, also' },
  {
    name: 'no more',
    hint: /\bno\s+more\b/gi,
    pattern: /(?<!\bthere\s+(?:is|are|was|were)\s+)\bno\s+more(?=\s*(?:[.,;:)]|$))/gi,
    instead: 'no longer, not any more, at most',
  },
  {
    name: 'is no more',
    pattern: /(?<!\bthere\s+)\b(?:is|are|was|were)\s+no\s+more\b(?!\s+than)/gi,
    instead: 'no longer exists, was deleted',
  },
  {
    name: 'is no X',
    pattern:
      /(?<!\b(?:there|where)\s+)\b(?:is|are|was|were)\s+no\s+(?!more\b|longer\b|one\b|such\b|less\b|different\b|need\b|doubt\b|reason\b|way\b|\w+\s+than\b|(?:lat|earli|new|old|larg|small|slow|fast|great|bigg|high|low|short|furth|bett|clos|easi|few)er\b)[a-z]+/gi,
    instead: '"is not a …". For "is no error": "Idempotent."',
  },
  {
    name: 'trailing else',
    hint: /\belse(?=\s*(?:[.;:)'"`]|\*\/|\n))|(?<=[,;]\s+)else\b/gi,
    pattern:
      /(?<!\b(?:no|some|any|every)(?:\s?one|thing|body|where)\s+|\b(?:who|what|where|all|or|how|much|little)\s+)\belse(?=\s*(?:[.;:)]|$))|(?<=[,;]\s+)else\b/gi,
    instead: 'otherwise',
  },
  {
    name: 'fragment',
    begins: true,
    pattern: /(?:Which|Who|Whom|Whose|When|Where|What|How|Why)(?=\.(?!\w))/g,
    instead: 'a sentence: "The room that was joined."',
  },
  {
    name: 'What … answers',
    pattern: /\bWhat\s+\S+\s+answers\b/g,
    instead: '"The result of …", or what it returns',
  },
  {
    name: 'Who …',
    begins: true,
    pattern: /(?:Who|Whom|Whose)\s+\w/g,
    instead: '"Users who …", "The user who …"',
  },
  {
    name: 'who has',
    pattern: /\b(?:for|from|by|with|than|to)\s+who\s+(?:is|are|was|has|have|had|may|can|does|did)\b/gi,
    instead: 'users who …, the user who …',
  },
  {
    name: 'whom',
    pattern: words('whom'),
    instead: 'name the people: "the users that …", "the recipient"',
  },
  {
    name: 'as it is now',
    pattern: words(String.raw`as\s+(?:it|they|he|this|that)\s+(?:is|are|was|were|will\s+be)\s+(?:now|then)`),
    instead: 'the current …, the state at that time',
  },
  {
    name: "one's own",
    pattern: /\bone[’']s\s+own\b/gi,
    instead: "the viewer's, the user's own, your own",
  },
  { name: 'anew', pattern: words('anew|afresh'), instead: 'again, from scratch' },
  {
    name: 'become of',
    pattern: words(String.raw`(?:becomes?|became)\s+of`),
    instead: 'what happens to, the result of',
  },
  {
    name: 'make good',
    pattern: words(String.raw`(?:makes?|made|making)\s+good`),
    instead: 'repair, replace, derive what was missed',
  },
  {
    name: 'inverted condition',
    pattern: /(?<=[.;,:]\s+)(?:were|went|came|stood)\s+(?:it|they|this|that|one|anyone)\b(?![^.!]*\?)/gi,
    instead: '"if it …, it would …"',
  },
  {
    name: 'would have led',
    pattern: words(String.raw`would\s+have\s+led`),
    instead: 'what is missing, what was not delivered',
  },
  {
    name: 'of which some',
    pattern: words(String.raw`of\s+which\s+(?:some|none|only)`),
    instead: 'a sentence of its own: "Some changes are …", "None of them …"',
  },
  {
    name: 'all the same',
    hint: /\ball\s+the\s+same\b/gi,
    pattern: /\ball\s+the\s+same(?=\s*(?:[.,;:)]|$))/gi,
    instead: 'still, but, and continues',
  },
  {
    name: 'for ever',
    pattern: words(String.raw`for\s+ever(?!\s+(?:since|more)\b)`),
    instead: 'forever, without a limit',
  },
  { name: 'shall', pattern: words('shall'), instead: 'must, should, will' },
  {
    name: 'Of …',
    begins: true,
    hint: /[.*/#"'`]\s+Of\s/g,
    pattern: /\bOf\s[^,.!?]*[.;]/g,
    instead: 'a sentence: "The version of the message."',
  },
  {
    name: 'where (if)',
    begins: true,
    pattern: /Where\s+(?!to\b)\w/g,
    instead: 'if, when',
  },
  {
    name: 'where (if)',
    pattern: new RegExp(String.raw`${PLACE_BEFORE}\bwhere\b${CONDITION_AFTER}`, 'g'),
    instead: 'if, when',
  },
  {
    name: 'where (if)',
    pattern:
      /\b(?:only|also|but|except|even|undefined|[Nn]ull|[Aa]bsent|[Tt]rue|[Ff]alse|[Rr]efused|[Rr]ejects|[Tt]hrows|[Ff]ails|[A-Z_]{4,})\s+where\b/g,
    instead: 'if, when',
  },
];
