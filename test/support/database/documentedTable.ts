import { readFile } from 'node:fs/promises';
import type { Policies } from './accounts.ts';

const DOCUMENT = 'docs/aws.md';
const RESOURCE =
  /^arn:aws:dynamodb:eu-west-1:222222222222:table\/tsudoi(?:\/(index\/[^/]+)|\/(stream)\/[^/]+)?$/;
const SECTION = '\n## A table in another account\n';

interface Policy {
  readonly Statement: ReadonlyArray<{
    readonly Action: readonly string[];
    readonly Resource: string | readonly string[];
  }>;
}

/** What docs/aws.md says of a table in another account: how to create it, and what its policies allow. */
export async function documentedTable() {
  const [, text = ''] = (await readFile(DOCUMENT, 'utf8')).split(SECTION);
  const [section = ''] = text.split('\n## ');
  const blocks = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));
  const [definition, ofTable, ofStream] = blocks as [unknown, Policy, Policy];
  const policies: Policies = { table: allowancesOf(ofTable), stream: allowancesOf(ofStream) };
  return {
    definition,
    policies,
    /** Everything that either of the policies allows. */
    actions: Object.values(policies)
      .flatMap((allowances: Policies['table']) => allowances.flatMap(({ actions }) => actions))
      .sort(),
  };
}

const allowancesOf = ({ Statement }: Policy): Policies['table'] =>
  Statement.map(({ Action, Resource }) => ({
    actions: Action.map((action) => action.replace(/^dynamodb:/, '')),
    resources: [Resource].flat().map(resourceOf),
  }));

/** Which part of the documented table an ARN names. */
function resourceOf(arn: string): string {
  const found = RESOURCE.exec(arn);
  if (found === null) throw new Error(`${arn} is not a part of the documented table.`);
  return found[1] ?? found[2] ?? 'table';
}
