/**
 * Tests of `npm run test:long`, which `npm test` leaves out so that it ends within minutes: processes and commands that
 * are run and killed, imports beside other work, changes of the table's shape and place, the file of the embedded
 * database, the two clients of DynamoDB compared, the costs at small sizes, most of what is delivered to people who are
 * away, threads in the client libraries, what idle sockets hold, the stack and the functions of AWS, metrics and alerts
 * in Prometheus, and the browser tests of single features.
 */
const LONG = [
  'test/web/!(firstMinutes).browser.test.ts',
  'test/**/graphiql.browser.test.ts',
  'test/process/!(start).test.ts',
  'test/delivery/{blocked,changedWaits,crowd,deciding,deletedAccount,digests,directMessages,holding,joins}.test.ts',
  'test/delivery/{kill,kindsTable,manyNotifications,pushLimit,reach,roomMessages*}.test.ts',
  'test/dev/{demo/store,embeddedDynamodb/damage,embeddedDynamodb/databaseFile}.test.ts',
  'test/dev/embeddedDynamodb/embedded.{dataDir,trim}.test.ts',
  'test/dynamo/costsOfFew.test.ts',
  'test/dynamo/transport/contract.test.ts',
  'test/app/{exemplars,functions,logMetrics}.test.ts',
  'test/accountDeletion/saved.test.ts',
  'test/live/heldPerSocket.test.ts',
  'test/{app/lambda,app/timersFunction,ops/alerts}.redis.test.ts',
  'infra/test/{alarms,cost,servers,stack,table}.test.ts',
  'test/saved/jobs/{kill,manyKills}.test.ts',
  'test/reshape/!(reshaping).test.ts',
  'test/import/{forgotten,meanwhile,roundTrip}.test.ts',
  'test/{cli/commands,cli/exportSaved,cli/outputs,cli/tsudoi,clients/outage,clients/threads,export/export,import/command,import/reshaped,scripts/load,scripts/smoke,scripts/start}*.test.ts',
];

/**
 * Tests that `npm run test:dynamodb-local`, a second opinion on what reaches the table, leaves out: they use it as the
 * others do, and each of their writes takes several times as long there.
 */
const USUAL_WRITES = [
  'test/{app,clients,dev,export,hardening,import,live,rateLimits,revocations,roomEvents,signOut}/**',
  'test/delivery/!(deciding|model).test.ts',
  'test/delivery/*/**',
  'test/saved/jobs/{kill,manyKills}.test.ts',
  'test/reshape/!(catchUp|copying|decided).test.ts',
];

/** The files of a part. Undefined: all of them. */
export function partOf(part: string | undefined): { readonly include: string[]; readonly exclude: string[] } {
  const all = ['test/**/*.test.ts', 'infra/test/**/*.test.ts'];
  if (part === undefined) return { include: all, exclude: [] };
  if (part === 'short') return { include: all, exclude: LONG };
  if (part === 'long') return { include: LONG, exclude: [] };
  if (part === 'table') return { include: all, exclude: USUAL_WRITES };
  throw new Error('TEST_PART must be `short`, `long` or `table`.');
}
