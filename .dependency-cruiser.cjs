/**
 * Which folder may import which. Imports point one way:
 *
 *   main, lambda, cli ─▶ app ─▶ server, features ─▶ live, graphql, jobs, timers, stream, bus, dynamo, i18n ─▶ core
 *
 * A feature is one folder (users, rooms, messages, roomEvents, unread …). A feature may use another feature's
 * nouns and types, never its `schema.ts` or `lists.ts` (GraphQL operations), its `handlers.ts` (what it derives from
 * the stream) or its `feature.ts` (what the wiring gets from it).
 * `npm run imports` checks it. Type-only imports count, because they also depend on another folder.
 */

/** Folders that are not features. Every other folder of src is one. */
const PLUMBING = [
  'app',
  'bus',
  'cli',
  'core',
  'dev',
  'dynamo',
  'graphql',
  'i18n',
  'jobs',
  'live',
  'rateLimits',
  'rebuild',
  'revocations',
  'server',
  'stream',
  'timers',
  'verify',
];
const featureExcept = (folders) => `^src/(?!(?:${[...PLUMBING, ...folders].join('|')})/)([^/]+)/`;
const FEATURE = featureExcept([]);
/**
 * The features on which others build, in this order: each may import those before it, so no two features import each
 * other. Any other feature may import all of these, and no feature imports it.
 */
const LAYERS = [
  'users',
  'rooms',
  'messages',
  'saved',
  'reactions',
  'threads',
  'roomEvents',
  'unread',
  'notifications',
  'delivery',
  'scheduled',
  'export',
  'roomDeletion',
  'import',
];
/** The ground floor: every file may import it, and it imports no other folder. */
const COMMON = '^src/(core/|(config|variables)\\.ts$)';

/** A folder, and the folders that it may import, apart from itself and the ground floor. */
const mayImport = (name, path, folders, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path },
  to: {
    path: '^src/',
    pathNot: [path, COMMON, ...folders.map((folder) => `^src/${folder}/`)],
  },
});

/** The features at `path`, and the features that they may import. */
const mayBuildOn = (path, features) => ({
  name: 'features-in-layers',
  comment: 'Features build on each other in one direction: see LAYERS in .dependency-cruiser.cjs.',
  severity: 'error',
  from: { path },
  to: { path: FEATURE, pathNot: ['$1', ...features].map((folder) => `^src/${folder}/`) },
});

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that import each other belong into one file, or need a third one for what they share.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'main-is-the-top',
      comment: 'main.ts and lambda.ts are entry points. Only tests import them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/main\\.ts$' },
      to: { path: '^src/(main|lambda)\\.ts$' },
    },
    {
      name: 'only-app-wires',
      comment: 'Only the entry points and src/app itself may import the wiring in src/app.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/((main|lambda)\\.ts$|app/|cli/|dev/)' },
      to: { path: '^src/app/' },
    },
    {
      name: 'dev-is-optional',
      comment:
        'The embedded database and the demo data are not part of production: only the wiring and commands load them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(app|cli|dev)/' },
      to: { path: '^src/dev/' },
    },
    {
      name: 'dev-is-loaded-on-demand',
      comment:
        'A deployment runs without src/dev and its packages, so other folders load it by a dynamic import, if it is ' +
        'configured. Types are free.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/dev/' },
      to: { path: '^src/dev/', dependencyTypesNot: ['dynamic-import', 'type-only'] },
    },
    mayImport('core', COMMON, [], 'The ground floor knows no other folder.'),
    mayImport('dynamo', '^src/dynamo/', [], 'The table knows no feature, no stream and no bus.'),
    mayImport('i18n', '^src/i18n/', [], 'Languages and formats know no feature.'),
    mayImport('bus', '^src/bus/', [], 'The bus carries payloads and knows no feature.'),
    mayImport(
      'stream',
      '^src/stream/',
      ['dynamo'],
      'The consumer knows the table, and handlers only by their interface.',
    ),
    mayImport(
      'live',
      '^src/live/',
      ['bus', 'dynamo', 'graphql'],
      'Live streams know no feature: each feature defines what it sends, and how it is read.',
    ),
    mayImport('graphql', '^src/graphql/', ['dynamo'], 'The GraphQL building blocks know no feature.'),
    mayImport(
      'jobs',
      '^src/jobs/',
      ['dynamo', 'stream', 'rebuild', 'timers', 'verify'],
      'Jobs know their kinds only by their interface.',
    ),
    mayImport(
      'timers',
      '^src/timers/',
      ['dynamo', 'bus', 'stream'],
      'Timers know their kinds only by their interface.',
    ),
    mayImport('rebuild', '^src/rebuild/', ['dynamo'], 'A rebuild knows visitors only by their interface.'),
    mayImport('verify', '^src/verify/', ['dynamo'], 'Verify knows counters only by their interface.'),
    mayImport('rateLimits', '^src/rateLimits/', ['bus', 'graphql'], 'Rate limits know actions only by name.'),
    mayImport('revocations', '^src/revocations/', ['dynamo', 'graphql'], 'Tokens know no feature.'),
    mayImport(
      'feature',
      '^src/feature\\.ts$',
      ['jobs', 'rebuild', 'stream', 'timers', 'verify'],
      'It says what any feature consists of, and knows none.',
    ),
    {
      name: 'list-of-schemas',
      comment: 'app/schema.ts imports the schema.ts of each feature and nothing else of them.',
      severity: 'error',
      from: { path: '^src/app/schema\\.ts$' },
      to: { path: FEATURE, pathNot: `${FEATURE}.*schema\\.ts$` },
    },
    {
      name: 'list-of-features',
      comment:
        "app/features.ts is the list of features. A feature's handlers and counters reach it through its feature.ts.",
      severity: 'error',
      from: { path: '^src/app/' },
      to: { path: `${FEATURE}.*(handlers|counters)\\.ts$` },
    },
    mayImport(
      'server',
      '^src/server/',
      [],
      'HTTP, websockets and identity know no feature: they get a schema.',
    ),
    {
      name: 'features',
      comment:
        'A feature builds on graphql, stream, bus, dynamo and i18n, and never on the server or the wiring.',
      severity: 'error',
      from: { path: FEATURE },
      to: { path: '^src/(server|app|dev|cli)/' },
    },
    {
      name: 'feature-faces',
      comment:
        "A feature may call another feature's nouns and types, never its schema.ts, lists.ts (GraphQL), handlers.ts or feature.ts.",
      severity: 'error',
      from: { path: FEATURE },
      to: { path: `${FEATURE}.*(schema|lists|handlers|feature)\\.ts$`, pathNot: '^src/$1/' },
    },
    ...LAYERS.map((feature, i) => mayBuildOn(`^src/(${feature})/`, LAYERS.slice(0, i))),
    mayBuildOn(featureExcept(LAYERS), LAYERS),
    {
      name: 'only-the-redis-bus-knows-redis',
      comment: 'Any other code that used Redis would fail during its outages.',
      severity: 'error',
      from: { pathNot: '^(src/bus/redis/|test/bus/)' },
      to: { path: '(^|/)ioredis(/|$)' },
    },
    {
      name: 'only-dynamo-builds-clients',
      comment:
        'src/dynamo/client.ts gives every client its time limits and gate. Types may be imported everywhere. The two ' +
        'files that read the stream send commands with a client that they get. Functions read a secret when they start.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot:
          '^src/(dynamo/|dev/embeddedDynamodb/|stream/(reader|shards)\\.ts$|app/functionSecrets\\.ts$)',
      },
      to: { path: '/(@aws-sdk/(client|lib)-|@smithy/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'src-is-independent',
      comment: 'The product never imports its tests, benches or scripts, nor a development dependency.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts|web)/' },
    },
    {
      name: 'no-development-dependencies',
      comment:
        'They are not installed in production. Only src/dev may use them: production does not load it. The names of ' +
        'emoji are 60 kB of data that the build contains; the package has 49 MB.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/dev/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '/(@types|emojibase-data)/',
      },
    },
    {
      name: 'web-is-independent',
      comment:
        'The web client knows only the public API and the types generated from it, like any other client.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(src|test|bench|scripts)/' },
    },
    {
      name: 'not-resolvable',
      comment:
        'Misspelt, or not in package.json. (Two packages have only types, and a build makes the modules named virtual, so there is no file.)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(aws-lambda|@graphql-typed-document-node/core|virtual:.*)$' },
    },
    {
      name: 'orphans',
      comment:
        'No file imports it, and it imports no file. The types of a package without types need no import.',
      severity: 'error',
      from: { orphan: true, path: '^(src|web/src)/', pathNot: '\\.d\\.ts$' },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^test/generated/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.js', '.cjs', '.mjs', '.json'],
    },
  },
};
