import { defineConfig } from 'vitest/config';
import { javaForDynamoDbLocal } from './test/support/java.ts';

// TEST_DYNAMODB=local runs the same tests on DynamoDB Local, the second opinion; it needs Java.
const local = process.env.TEST_DYNAMODB === 'local';
const runnable = !local || javaForDynamoDbLocal();

/**
 * What DynamoDB Local is asked for its opinion on: conditions, transactions, ranges, streams, what requests
 * cost, and everything at once. It is slow, and has nothing to say about sockets, browsers and command lines.
 */
const SECOND_OPINION = [
  'test/dynamo/{bulkWrite,costs,dynamo}.test.ts',
  'test/roomEvents/{log,model,replay}.test.ts',
  'test/reactions/likes/{clearing,counts}.test.ts',
  'test/messages/{replies,send}.test.ts',
  'test/rooms/seats.test.ts',
  'test/reactions/stamps/stamps.test.ts',
  'test/stream/**/*.test.ts',
  'test/unread/model.test.ts',
  'test/users/handles.test.ts',
];

export default defineConfig({
  // As Node resolves it: Vite would take its .mjs, a second copy beside the one that Yoga has, whose errors
  // are no `GraphQLError` to us.
  resolve: { alias: [{ find: /^graphql$/, replacement: 'graphql/index.js' }] },
  test: {
    include: local ? (runnable ? SECOND_OPINION : []) : ['test/**/*.test.ts'],
    passWithNoTests: !runnable,
    globalSetup: ['test/support/inMemory.ts', ...(local && runnable ? ['test/support/globalSetup.ts'] : [])],
    setupFiles: ['test/support/seed.ts'],
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // Longer than a test waits for any one thing (test/support/eventually.ts), which says what was missing.
    testTimeout: 60_000,
    hookTimeout: local ? 120_000 : 60_000,
    pool: 'forks',
    // Nothing happens at import, so files may share what is imported: twice as fast as reading it anew for each.
    isolate: false,
    maxWorkers: 2,
  },
});
