/** The subscriptions as documents, and what the oracle says to what they tell. */
import { type GraphQLInterfaceType, isInterfaceType } from 'graphql';
import { type Fields, isObject, judgeFields, objectsIn, type Seen, type Wrong } from './judge.ts';
import type { Cell, Position } from './oracle.ts';
import { type Asked, askedOf, documentOf, isCode, nested } from './questions.ts';
import { schema, shapeOf } from './schema.ts';
import { TELLING } from './table.ts';
import type { Answer } from './transports.ts';

const given = (all: readonly Asked[]): Asked[] => all.filter(({ verdict }) => !isCode(verdict));
const refused = (all: readonly Asked[]): Asked[] => all.filter(({ verdict }) => isCode(verdict));

/** What an event of a subscription can be. */
function typesOf(subscription: string): string[] {
  const { type } = shapeOf('Subscription', subscription);
  const named = schema.getType(type);
  if (!isInterfaceType(named)) return [type];
  return schema.getPossibleTypes(named as GraphQLInterfaceType).map(({ name }) => name);
}

export interface Telling {
  readonly subscription: string;
  readonly cell: Cell;
  /** Whose fields are asked for. */
  readonly as: Position | null;
  /** Where in the log to go on. */
  readonly after?: string;
}

function documentFor({ subscription, cell, as, after }: Telling, choose: typeof given): string {
  const args = [
    TELLING.Subscription?.[subscription]?.args,
    after === undefined ? undefined : `after: "${after}"`,
  ];
  const call = args.filter((arg) => arg !== undefined).join(', ');
  const parts = typesOf(subscription).map((type) => {
    const fields = askedOf(type, cell, as).map((one) => ({
      one,
      inner: choose(askedOf(one.shape.type, cell, as)),
    }));
    const asked = fields.filter(({ one, inner }) => !one.shape.isObject || inner.length > 0);
    return `... on ${type} { ${asked.map(({ one, inner }) => nested(one, inner)).join(' ')} }`;
  });
  return documentOf(
    'subscription',
    `${subscription}${call === '' ? '' : `(${call})`} { __typename ${parts.join(' ')} }`,
  );
}

/** All that they may see of what it tells. */
export const everythingOf = (telling: Telling): string => documentFor(telling, given);

/** What they may not see of a room that they are in; null: nothing. */
export function forbiddenOf(telling: Telling): string | null {
  const some = refused(askedOf('Room', telling.cell, telling.as)).length > 0;
  return some ? documentFor(telling, (all) => (all[0]?.name.startsWith('Room.') ? refused(all) : [])) : null;
}

/** An event, or null where there is none in the answer. */
export function eventIn({ data }: Answer): (Fields & { readonly __typename: string }) | null {
  const [event] = isObject(data) ? objectsIn(Object.values(data)) : [];
  return event === undefined ? null : { ...event, __typename: String(event.__typename) };
}

/** What is wrong with one event. */
export function wrongWith(
  answer: Answer,
  { subscription, cell, as }: Telling,
  seen: Seen,
  viewer: string,
): Wrong[] {
  const event = eventIn(answer);
  if (event === null || answer.errors.length > 0) {
    return [{ what: `Subscription.${subscription}`, expected: 'an event', got: answer.text }];
  }
  seen.add(`Subscription.${subscription}`);
  const asked = askedOf(event.__typename, cell, as);
  return [
    ...judgeFields(asked, [event], { viewer, seen }),
    ...asked.flatMap(({ field, shape }) =>
      judgeFields(given(askedOf(shape.type, cell, as)), objectsIn(event[field]), {
        viewer,
        seen: new Set(),
        plenty: false,
      }),
    ),
  ];
}
