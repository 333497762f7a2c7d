/** What the ARN of a table says. */
export interface TableArn {
  readonly region: string;
  readonly name: string;
}

const NAME = '[A-Za-z0-9_.-]{3,255}';
const ARN = new RegExp(`^arn:aws(?:-[a-z]+)*:dynamodb:([a-z0-9-]+):\\d{12}:table/(${NAME})$`);
const TABLE = new RegExp(`^${NAME}$`);

/** What a table may be called in settings and flags: DynamoDB takes an ARN wherever it takes a name. */
export const TABLE_RULE =
  'must be the name of a table (3 to 255 letters, digits, "_", "-" or "."), or its ARN (arn:aws:dynamodb:REGION:ACCOUNT:table/NAME)';

export const isTable = (text: string): boolean => TABLE.test(text) || ARN.test(text);

/** Undefined: it is not an ARN, but a plain name. */
export function parseTableArn(table: string): TableArn | undefined {
  const [, region, name] = ARN.exec(table) ?? [];
  return region === undefined || name === undefined ? undefined : { region, name };
}

/** The name without the region and the account. */
export const plainName = (table: string): string => parseTableArn(table)?.name ?? table;

/** The ARN of another table of the same account. Without a region: in the same region. */
export function arnBeside(arn: string, name: string, region?: string): string {
  const [prefix, partition, service, own, account] = arn.split(':');
  return [prefix, partition, service, region ?? own, account, `table/${name}`].join(':');
}
