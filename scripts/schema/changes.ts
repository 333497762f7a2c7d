import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

/** A change that breaks clients on purpose. */
export interface AcceptedChange {
  /** As a refusal names it. */
  readonly change: string;
  readonly reason: string;
}

/**
 * What is wrong with a schema that follows a released one: changes that break clients and are not accepted, and
 * accepted ones that are not there. What was deprecated in the released schema may be removed.
 */
export async function schemaProblems(
  released: string,
  current: string,
  accepted: readonly AcceptedChange[],
): Promise<string[]> {
  const changes = await diff(buildSchema(released), buildSchema(current), [
    DiffRule.suppressRemovalOfDeprecatedField,
    DiffRule.ignoreDescriptionChanges,
  ]);
  const breaking = changes
    .filter(({ criticality }) => criticality.level === CriticalityLevel.Breaking)
    .map(({ message }) => message);
  const isAccepted = new Set(accepted.map(({ change }) => change));
  return [
    ...breaking.filter((change) => !isAccepted.has(change)).map((change) => `It breaks clients: ${change}`),
    ...accepted
      .filter(({ change }) => !breaking.includes(change))
      .map(({ change }) => `There is no such change: ${change}`),
  ];
}
