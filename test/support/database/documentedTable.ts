import { readFile } from 'node:fs/promises';

const DOCUMENT = 'docs/aws.md';
const SECTION = '\n## A table in another account\n';

interface Policy {
  readonly Statement: ReadonlyArray<{ readonly Action: readonly string[] }>;
}

/** What docs/aws.md says of a table in another account: how to create it, and what its policies allow. */
export async function documentedTable() {
  const [, text = ''] = (await readFile(DOCUMENT, 'utf8')).split(SECTION);
  const [section = ''] = text.split('\n## ');
  const blocks = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = '']) => JSON.parse(json));
  const [definition, ofTable, ofStream] = blocks as [unknown, Policy, Policy];
  const actions = [ofTable, ofStream].flatMap(({ Statement }) => Statement.flatMap(({ Action }) => Action));
  return {
    definition,
    /** Of the table and of its stream, without the name of the service. */
    actions: actions.map((action) => action.replace(/^dynamodb:/, '')).sort(),
  };
}
