/** The subscriptions as documents, and the comparison of their events with the oracle. */
import { type GraphQLInterfaceType, isInterfaceType } from 'graphql';
import type { Answer } from './clients.ts';
import { SUBSCRIPTION_FIELDS } from './fieldRules.ts';
import {
  type Covered,
  type Fields,
  fieldMismatches,
  isObject,
  type Mismatch,
  objectsIn,
} from './mismatches.ts';
import type { Cell, Relation } from './oracle.ts';
import {
  allowedFields,
  documentOf,
  type FieldCase,
  fieldCases,
  nestedText,
  refusedFields,
} from './pathCases.ts';
import { schema, shapeOf } from './schema.ts';

export interface SubscriptionCase {
  readonly subscription: string;
  readonly cell: Cell;
  /** The relation whose fields are requested. */
  readonly relation: Relation | null;
  /** The cursor to continue from. */
  readonly after?: string;
}

/** The types of a subscription's events. */
function eventTypes(subscription: string): string[] {
  const { type } = shapeOf('Subscription', subscription);
  const named = schema.getType(type);
  if (!isInterfaceType(named)) return [type];
  return schema.getPossibleTypes(named as GraphQLInterfaceType).map(({ name }) => name);
}

type Choice = (fields: readonly FieldCase[]) => FieldCase[];

function subscriptionDocument(
  { subscription, cell, relation, after }: SubscriptionCase,
  choose: Choice,
): string {
  const args = [
    SUBSCRIPTION_FIELDS.Subscription?.[subscription]?.args,
    after === undefined ? undefined : `after: "${after}"`,
  ];
  const call = args.filter((arg) => arg !== undefined).join(', ');
  const fragments = eventTypes(subscription).map((type) => {
    const fields = fieldCases(type, cell, relation)
      .map((field) => ({ field, inner: choose(fieldCases(field.shape.type, cell, relation)) }))
      .filter(({ field, inner }) => !field.shape.isObject || inner.length > 0);
    return `... on ${type} { ${fields.map(({ field, inner }) => nestedText(field, inner)).join(' ')} }`;
  });
  return documentOf(
    'subscription',
    `${subscription}${call === '' ? '' : `(${call})`} { __typename ${fragments.join(' ')} }`,
  );
}

/** Without a token the server accepts short documents only, and refuses each field alike. */
const ANONYMOUS_FIELDS = 4;

/** Requests all fields that the user may see. */
export const allowedDocument = (subscriptionCase: SubscriptionCase): string =>
  subscriptionDocument(subscriptionCase, (fields) => {
    const allowed = allowedFields(fields);
    return subscriptionCase.cell.kind === 'anonymous' ? allowed.slice(0, ANONYMOUS_FIELDS) : allowed;
  });

/** Requests the fields of the room that the user may not see. Null if the user may see all of them. */
export function refusedDocument(subscriptionCase: SubscriptionCase): string | null {
  const { cell, relation } = subscriptionCase;
  if (refusedFields(fieldCases('Room', cell, relation)).length === 0) return null;
  return subscriptionDocument(subscriptionCase, (fields) =>
    fields[0]?.name.startsWith('Room.') ? refusedFields(fields) : [],
  );
}

/** The event of an answer, or null if the answer has none. */
export function eventIn({ data }: Answer): (Fields & { readonly __typename: string }) | null {
  const [event] = isObject(data) ? objectsIn(Object.values(data)) : [];
  return event === undefined ? null : { ...event, __typename: String(event.__typename) };
}

export interface EventContext {
  readonly covered: Covered;
  /** The subscriber's global user id. */
  readonly viewer: string;
}

/** The mismatches in one event. */
export function eventMismatches(
  answer: Answer,
  { subscription, cell, relation }: SubscriptionCase,
  { covered, viewer }: EventContext,
): Mismatch[] {
  const event = eventIn(answer);
  if (event === null || answer.errors.length > 0) {
    return [{ what: `Subscription.${subscription}`, expected: 'an event', got: answer.text }];
  }
  covered.add(`Subscription.${subscription}`);
  const fields = fieldCases(event.__typename, cell, relation);
  return [
    ...fieldMismatches(fields, [event], { viewer, covered }),
    ...fields.flatMap(({ field, shape }) =>
      fieldMismatches(allowedFields(fieldCases(shape.type, cell, relation)), objectsIn(event[field]), {
        viewer,
        // Types that queries reach as well are covered by their tests.
        covered: shape.type in SUBSCRIPTION_FIELDS ? covered : new Set(),
        hasValues: false,
      }),
    ),
  ];
}
