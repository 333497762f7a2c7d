/**
 * Who may import whom. Imports point one way:
 *
 *   main, lambda, cli ─▶ app ─▶ server, features ─▶ graphql, stream, bus, dynamo, i18n ─▶ config, errors, log …
 *
 * A feature is one folder (users, rooms, messages, events, unread …). It may use another feature's nouns and
 * types, never its schema.ts (GraphQL operations) or handlers.ts (what it derives from the stream).
 * `npm run imports` checks it. Type-only imports count: what a folder knows of is what it depends on.
 */

/** Folders that are no feature; every other folder of src is one. */
const PLUMBING = ['app', 'bus', 'cli', 'demo', 'dynamo', 'graphql', 'i18n', 'server', 'stream'];
const FEATURE = `^src/(?!(?:${PLUMBING.join('|')})/)([^/]+)/`;
/** Files beside the folders that anybody may import: they import no folder. */
const COMMON = '^src/(config|errors|ids|log|metrics|rateLimits)\\.ts$';

/** A folder, and all of src that it may import besides itself and the common files. */
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

module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one thing, or hide a third that both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'main-is-the-top',
      comment:
        'main.ts, lambda.ts and app.ts wire everything; nobody imports them but the entry points and tests.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/main\\.ts$' },
      to: { path: '^src/(main|lambda|app)\\.ts$' },
    },
    {
      name: 'only-app-wires',
      comment: 'The parts of the wiring (src/app) and the demo are for app.ts and the entry points alone.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/((app|main|lambda)\\.ts$|app/|cli/|demo/)' },
      to: { path: '^src/(app|demo)/' },
    },
    mayImport('common', COMMON, [], 'Files that anybody may import know nobody.'),
    mayImport('dynamo', '^src/dynamo/', [], 'The table knows no feature, no stream and no bus.'),
    mayImport('i18n', '^src/i18n/', [], 'Languages and wording know nothing of what is said.'),
    mayImport('bus', '^src/bus/', [], 'The bus carries payloads and knows none of them.'),
    mayImport(
      'stream',
      '^src/stream/',
      ['dynamo'],
      'The consumer knows the table, and handlers by interface.',
    ),
    {
      ...mayImport(
        'graphql',
        '^src/graphql/',
        ['dynamo'],
        'graphql/ knows no feature, but for its list of them.',
      ),
      from: { path: '^src/graphql/', pathNot: '^src/graphql/schema\\.ts$' },
    },
    {
      name: 'list-of-features',
      comment:
        'graphql/schema.ts is the list of the features: it imports their schema.ts and nothing else of them.',
      severity: 'error',
      from: { path: '^src/graphql/schema\\.ts$' },
      to: { path: FEATURE, pathNot: `${FEATURE}schema\\.ts$` },
    },
    mayImport(
      'server',
      '^src/server/',
      [],
      'HTTP, websockets and identity know no feature: a schema is handed to them.',
    ),
    {
      name: 'features',
      comment:
        'A feature builds on graphql, stream, bus, dynamo and i18n, and never on the server or the wiring.',
      severity: 'error',
      from: { path: FEATURE },
      to: { path: '^src/(server|app|demo|cli)/' },
    },
    {
      name: 'feature-faces',
      comment: "A feature may call another feature's nouns and types, never its schema.ts or handlers.ts.",
      severity: 'error',
      from: { path: FEATURE },
      to: { path: `${FEATURE}(schema|handlers)\\.ts$`, pathNot: '^src/$1/' },
    },
    {
      name: 'only-the-redis-bus-knows-redis',
      comment: 'Whoever else talked to Redis would take part in its outages.',
      severity: 'error',
      from: { pathNot: '^(src/bus/redis[^/]*|test/bus/.*)\\.ts$' },
      to: { path: '(^|/)ioredis(/|$)' },
    },
    {
      name: 'only-dynamo-builds-clients',
      comment:
        'Clients have time limits and a gate, which src/dynamo/client.ts gives them. Types are free; the two ' +
        'files that read the stream send its commands through a client that is handed to them.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(dynamo/|stream/(reader|shards)\\.ts$)' },
      to: { path: '/(@aws-sdk/(client|lib)-|@smithy/)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'src-stands-alone',
      comment: 'The product never imports its tests, benches or scripts, nor a development dependency.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench|scripts|web)/' },
    },
    {
      name: 'no-development-dependencies',
      comment: 'They are not there in production.',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: '/@types/' },
    },
    {
      name: 'web-stands-alone',
      comment:
        'The web client knows the public API and the types generated from it, as any other client would.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(src|test|bench|scripts)/' },
    },
    {
      name: 'not-resolvable',
      comment: 'Misspelt, or not in package.json. (Of these two there are only types, so no file.)',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(aws-lambda|@graphql-typed-document-node/core)$' },
    },
    {
      name: 'orphans',
      comment: 'Nobody imports it and it imports nobody.',
      severity: 'error',
      from: { orphan: true, path: '^(src|web/src)/' },
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
