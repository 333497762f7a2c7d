import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { Json } from '../../stream/support/faultProxy.ts';
import type { TestDynamo } from './dynamo.ts';

/** The account that the emulators name in their ARNs. */
const FIRST = '000000000000';
const SECOND = '222222222222';

/** One statement of a policy. Resources are `table`, `stream`, or an index: `index/gsi1`. */
export interface Allowance {
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** That of a table, which is for its indexes as well, and that of its stream. */
export interface Policies {
  readonly table: readonly Allowance[];
  readonly stream: readonly Allowance[];
}

/** One database that two AWS accounts share, each with its own tables, as AWS documents it. */
export interface Accounts {
  /** What requests of each account are sent to: those with a name are about the account's own tables. */
  readonly first: string;
  readonly second: string;
  /** The ARN of a table of the first account, or of the second one. */
  arnOf(account: 'first' | 'second', name: string): string;
  /** What the policies of tables and streams allow the other account. Default: everything that AWS lets them allow. */
  allow(policies: Policies): void;
  /** The actions that were called across accounts. */
  readonly called: ReadonlySet<string>;
}

export interface AccountsOptions {
  /**
   * How responses of batches name a table that was asked for by its ARN: AWS says "a table name or ARN". Default: as it
   * was asked for.
   */
  readonly answersWith?: 'arn' | 'name';
}

/** What no policy can allow another account. What else is missing here has no ARN of a table. */
const NEVER = ['CreateTable', 'UpdateTimeToLive', 'DescribeTimeToLive'];

class Refused extends Error {}

/**
 * What emulators lack, in front of one: they take ARNs for some operations or for none, and have no accounts. Tables of
 * the second account are stored under other names. A batch of several items is never done at once, as may happen on AWS
 * at any time. It ends with the test.
 */
export async function startAccounts(
  { endpoint, streamArn }: Pick<TestDynamo, 'endpoint' | 'streamArn'>,
  { answersWith = 'arn' }: AccountsOptions = {},
): Promise<Accounts> {
  const start = streamArn.slice(0, streamArn.indexOf(FIRST));
  const called = new Set<string>();
  let allowed: Policies | undefined;
  /** Iterators of streams of the other account. */
  const foreign = new Set<string>();

  /** Both directions are the same for everything that is stored, so what a table says of others is what was written. */
  const shown = `${start}${SECOND}:table/`;
  const stored = `${start}${FIRST}:table/${SECOND}.`;

  function serve(caller: string): Promise<string> {
    /** Throws if this account may not do that with a resource of another one. */
    function check(account: string, action: string, resource = 'table'): void {
      if (account === caller) return;
      called.add(action);
      const policy = resource === 'stream' ? allowed?.stream : allowed?.table;
      const isAllowed = ({ actions, resources }: Allowance) =>
        actions.includes(action) && resources.includes(resource);
      if (!NEVER.includes(action) && (policy?.some(isAllowed) ?? true)) return;
      throw new Refused(`AccessDeniedException: no resource-based policy allows dynamodb:${action}`);
    }

    /** The name under which a table is stored. */
    function storedName(table: string, action: string, resource?: string): string {
      const [, account = caller, name = table] = /^arn:.*:(\d{12}):table\/(.*)$/.exec(table) ?? [];
      if (table.startsWith('arn:') && !table.startsWith(start))
        throw new Refused('ResourceNotFoundException: Requested resource not found');
      check(account, action, resource);
      return account === FIRST ? name : `${account}.${name}`;
    }

    /** The name of the table for the answer, if it is a batch. */
    function toStored(operation: string, request: Json): string | undefined {
      const { TableName, IndexName, RequestItems, TransactItems, StreamArn, ShardIterator } = request;
      const resource = IndexName === undefined ? undefined : `index/${IndexName}`;
      const write = (one: Json) => {
        const [[kind, fields]] = Object.entries<Json>(one) as [[string, Json]];
        const action = kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`;
        return { [kind]: { ...fields, TableName: storedName(fields.TableName, action) } };
      };
      if (TableName !== undefined) request.TableName = storedName(TableName, operation, resource);
      if (TransactItems !== undefined) request.TransactItems = TransactItems.map(write);
      if (foreign.has(ShardIterator)) check('another', operation, 'stream');
      if (StreamArn !== undefined) check(StreamArn.slice(start.length).split(':')[0], operation, 'stream');
      if (RequestItems === undefined) return undefined;
      const [[table, asked]] = Object.entries<Json>(RequestItems) as [[string, Json]];
      request.RequestItems = { [storedName(table, operation)]: asked };
      return answersWith === 'arn' ? table : table.split('/').at(-1);
    }

    /** Takes the last of several items out of a batch: what the answer says of it. Sent again, alone, it is done. */
    function leaveUndone(request: Json): Json {
      const [[table, asked]] = Object.entries<Json>(request.RequestItems) as [[string, Json]];
      const all: Json[] = asked.Keys ?? asked;
      if (all.length === 1) return {};
      const last = all.splice(-1);
      return asked.Keys === undefined
        ? { UnprocessedItems: { [table]: last } }
        : { UnprocessedKeys: { [table]: { ...asked, Keys: last } } };
    }

    function toShown(answer: Json, request: Json, batch: string | undefined): string {
      for (const field of ['Responses', 'UnprocessedKeys', 'UnprocessedItems'])
        if (batch !== undefined && answer[field] !== undefined)
          answer[field] = Object.fromEntries(Object.values(answer[field]).map((items) => [batch, items]));
      if (answer.Table !== undefined)
        answer.Table.TableName = answer.Table.TableName.replace(`${SECOND}.`, '');
      const isForeign =
        foreign.has(request.ShardIterator) || (request.StreamArn?.includes(`:${caller}:`) ?? true) === false;
      for (const iterator of [answer.ShardIterator, answer.NextShardIterator])
        if (isForeign && iterator !== undefined) foreign.add(iterator);
      return JSON.stringify(answer).replaceAll(stored, shown);
    }

    async function answer(
      headers: IncomingHttpHeaders,
      body: string,
    ): Promise<{ status: number; text: string }> {
      const target = String(headers['x-amz-target']);
      const request = JSON.parse(body);
      const asked = JSON.parse(body);
      const batch = toStored(target.split('.')[1] ?? '', request);
      const undone = batch === undefined ? {} : leaveUndone(request);
      const response = await fetch(endpoint, {
        method: 'POST',
        headers: {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': target,
          authorization: String(headers.authorization),
          'x-amz-date': String(headers['x-amz-date']),
        },
        body: JSON.stringify(request).replaceAll(shown, stored),
      });
      const answered = (await response.json()) as Json;
      if (response.ok) Object.assign(answered, undone);
      return { status: response.status, text: toShown(answered, asked, batch) };
    }

    return listen(async (headers, body) => {
      try {
        return await answer(headers, body);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const [type, message] = error.message.split(': ');
        return {
          status: 400,
          text: JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${type}`, message }),
        };
      }
    });
  }

  return {
    first: await serve(FIRST),
    second: await serve(SECOND),
    arnOf: (account, name) => `${start}${account === 'first' ? FIRST : SECOND}:table/${name}`,
    allow(actions) {
      allowed = actions;
    },
    called,
  };
}

type Handle = (headers: IncomingHttpHeaders, body: string) => Promise<{ status: number; text: string }>;

/** Resolves to the endpoint. If the database does not answer, the connection is dropped. */
async function listen(handle: Handle): Promise<string> {
  const server = createServer(async (request, response) => {
    try {
      const { status, text: body } = await handle(request.headers, await text(request));
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(body);
    } catch {
      request.socket.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
