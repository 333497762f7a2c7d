import { OTHER_LAYOUT } from '../../../support/database/dynamo.ts';

/** What a request to DynamoDB writes. */
export interface Write {
  readonly table: string;
  readonly pk: string;
  readonly sk: string;
  /** The id of the process, if it says that it uses the table. */
  readonly heartbeat?: string;
  /** The whole item, if it is put. */
  readonly item?: Attributes;
}

type Attributes = Readonly<Record<string, { readonly S?: string; readonly M?: Attributes }>>;

/** A write of a table's `SHAPE` that decides a switch to another table. */
export interface Decision {
  readonly from: string;
  readonly to: string;
}

interface One {
  readonly TableName?: string;
  readonly Item?: Attributes;
  readonly Key?: Attributes;
}

type Transaction = ReadonlyArray<{ readonly Put?: One; readonly Update?: One; readonly Delete?: One }>;

function writeOf({ TableName = '', Item, Key }: One): Write {
  const named = Item ?? Key ?? {};
  // One of the tables has other names for its keys.
  const [pk, sk] = [named.pk ?? named[OTHER_LAYOUT.pk], named.sk ?? named[OTHER_LAYOUT.sk]];
  const write = { table: TableName, pk: pk?.S ?? '', sk: sk?.S ?? '', ...(Item && { item: Item }) };
  const isHeartbeat = write.pk === 'SERVERS' && Item !== undefined;
  return isHeartbeat ? { ...write, heartbeat: write.sk.replace('SERVER#', '') } : write;
}

/** The writes of a request, by its `x-amz-target` and its body. Empty if it reads. */
export function writesOf(target: string, body: Buffer): Write[] {
  const operation = target.split('.')[1] ?? '';
  if (!/^(?:PutItem|UpdateItem|DeleteItem|TransactWriteItems|BatchWriteItem)$/.test(operation)) return [];
  const input = JSON.parse(body.toString('utf8')) as One & {
    readonly TransactItems?: Transaction;
    readonly RequestItems?: Readonly<
      Record<string, ReadonlyArray<{ readonly PutRequest?: One; readonly DeleteRequest?: One }>>
    >;
  };
  if (operation === 'TransactWriteItems') {
    return (input.TransactItems ?? []).flatMap(({ Put, Update, Delete }) => {
      const one = Put ?? Update ?? Delete;
      return one === undefined ? [] : [writeOf(one)];
    });
  }
  if (operation !== 'BatchWriteItem') return [writeOf(input)];
  return Object.entries(input.RequestItems ?? {}).flatMap(([TableName, requests]) =>
    requests.flatMap(({ PutRequest, DeleteRequest }) => {
      const one = PutRequest ?? DeleteRequest;
      return one === undefined ? [] : [writeOf({ ...one, TableName })];
    }),
  );
}

/** The decision among the writes of a request, if there is one. */
export function shapeWritten(writes: readonly Write[]): Decision | undefined {
  for (const { table, pk, item } of writes) {
    const notInUse = item?.notInUse?.M;
    const to = notInUse?.place === undefined ? undefined : notInUse.table?.S;
    if (pk === 'SHAPE' && item?.moving === undefined && to !== undefined) return { from: table, to };
  }
  return undefined;
}
