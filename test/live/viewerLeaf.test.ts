/** Fields with a value of each viewer's own do not keep readers from sharing an execution. */
import { GraphQLBoolean, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { beforeEach, describe, expect, test } from 'vitest';
import { viewerLeaf } from '../../src/graphql/viewerLeaves.ts';
import { pushed } from './support/pushed.ts';
import {
  alone,
  argsOf,
  byAll,
  type Event,
  field,
  firstResults,
  LIKERS,
  type Reader,
  readers,
  resetShared,
  SECRET,
  schema,
  shared,
} from './support/sharedExecution.ts';

beforeEach(resetShared);

describe('viewerLeaf', () => {
  test('is filled in for each reader of an event that was executed once', async () => {
    const requests = byAll('subscription { shared { text likes again { x: likes y: likes text } } }');
    const results = await firstResults(requests);
    expect(shared.executions).toBe(1);
    expect(shared.readings).toHaveLength(5);
    expect(results).toEqual(await alone(requests));
    expect(results.filter((result) => JSON.stringify(result).includes('true'))).toHaveLength(LIKERS.size);
  });

  test('textFor: is there for one reader alone, and does not keep the readers from sharing an execution', async () => {
    const requests = byAll('subscription { shared { text secret likes again { secret } } }');
    const results = await firstResults(requests);
    expect(shared.executions).toBe(1);
    expect(results).toEqual(await alone(requests));
    const seen = results.map((result) => JSON.stringify(result).split(JSON.stringify(SECRET)).length - 1);
    expect(seen.filter((times) => times > 0)).toEqual([3]);
  });

  test('is read for each reader if its holders are not known', async () => {
    const requests = byAll('subscription { shared { text likesEach likes } }');
    const results = await firstResults(requests);
    expect(shared.executions).toBe(1);
    expect(shared.readings).toEqual(expect.arrayContaining(readers.map(({ viewer }) => `each of ${viewer}`)));
    expect(results).toEqual(await alone(requests));
  });

  test.each(['viewer', 'viewerLater', 'language', 'copied'])(
    'beside %s, the event is executed for each reader',
    async (name) => {
      const requests = byAll(`subscription { shared { likes x: ${name} again { likesEach } } }`);
      const results = await firstResults(requests);
      expect(results).toEqual(await alone(requests));
    },
  );

  test('a field that does not return it as it is makes the event an execution for each reader', async () => {
    const requests = byAll('subscription { shared { likesNot likes } }');
    const results = await firstResults(requests);
    expect(results).toEqual(await alone(requests));
    expect(shared.executions).toBe(1 + readers.length + readers.length);
  });

  test.each(['likesUnknown', 'likesUnread'])(
    '%s: what cannot be read once is executed for each reader',
    async (name) => {
      const requests = byAll(`subscription { shared { text likes ${name} } }`);
      const results = await firstResults(requests);
      expect(results).toEqual(await alone(requests));
    },
  );

  test('is right beside an error', async () => {
    const results = await firstResults(byAll('subscription { shared { likes fails } }'));
    expect(results.map((result) => result?.data)).toEqual(
      readers.map(({ viewer }) => ({ shared: { likes: LIKERS.has(viewer), fails: null } })),
    );
  });

  test('is right for more combinations than texts are kept', async () => {
    const many = Array.from({ length: 150 }, (_, i) => ({ viewer: `user ${i}` }));
    const holders = (i: number) =>
      new Set(many.filter((_, user) => (user >> i) & 1).map(({ viewer }) => viewer));
    const bits = new GraphQLObjectType<Event, Reader>({
      name: 'Event',
      fields: Object.fromEntries(
        Array.from({ length: 8 }, (_, i) => [
          `bit${i}`,
          {
            type: GraphQLBoolean,
            resolve: (_event, _args, context, info) =>
              viewerLeaf(context, info, {
                holders: async () => holders(i),
                has: async (user) => holders(i).has(user),
              }),
          },
        ]),
      ),
    });
    const own = new GraphQLSchema({
      query: schema.getQueryType(),
      subscription: new GraphQLObjectType({
        name: 'Subscription',
        fields: { shared: { ...field({ sharedEvents: true }), type: bits } },
      }),
    });
    const query = `subscription { shared { ${Array.from({ length: 8 }, (_, i) => `bit${i}`).join(' ')} } }`;
    const results = await Promise.all(
      many.map((context) => pushed(shared.subscribe, { ...argsOf({ query, context }), schema: own })),
    );
    expect(shared.executions).toBe(1);
    expect(results.map(([result]) => result?.data)).toEqual(
      many.map((_, user) => ({
        shared: Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`bit${i}`, ((user >> i) & 1) === 1])),
      })),
    );
  });
});
