/**
 * Requests as DynamoDB's JSON, written directly as text. Values are written as `@aws-sdk/lib-dynamodb` does with
 * `removeUndefinedValues`.
 */

/** A request's fields, as text. */
export function encodeRequest(fields: object): string {
  let text = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) text += `${text === '' ? '' : ','}"${name}":${encodeField(name, value)}`;
  }
  return `{${text}}`;
}

function encodeField(name: string, value: unknown): string {
  switch (name) {
    case 'Key':
    case 'Item':
    case 'ExclusiveStartKey':
    case 'ExpressionAttributeValues':
      return encodeMap(objectOf(value));
    case 'Keys':
      return `[${arrayOf(value).map(encodeMap)}]`;
    case 'TransactItems':
      return `[${arrayOf(value).map(encodeRequest)}]`;
    case 'Put':
    case 'Update':
    case 'Delete':
    case 'ConditionCheck':
    case 'PutRequest':
      return encodeRequest(objectOf(value));
    case 'RequestItems':
      return `{${Object.entries(objectOf(value)).map(
        ([table, asked]) =>
          `${JSON.stringify(table)}:${Array.isArray(asked) ? `[${asked.map(encodeRequest)}]` : encodeRequest(asked)}`,
      )}}`;
    default:
      return JSON.stringify(value);
  }
}

function encodeMap(map: object): string {
  let text = '';
  for (const [name, value] of Object.entries(map)) {
    const encoded = encodeValue(value);
    if (encoded !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${encoded}`;
  }
  return `{${text}}`;
}

/** Undefined for values that are omitted. Throws for values that DynamoDB cannot store unchanged. */
function encodeValue(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return `{"S":${JSON.stringify(value)}}`;
    case 'number':
    case 'bigint':
      return `{"N":"${encodeNumber(value)}"}`;
    case 'boolean':
      return value ? '{"BOOL":true}' : '{"BOOL":false}';
    case 'object':
      return value === null ? '{"NULL":true}' : encodeObject(value);
    case 'undefined':
    case 'function':
      return undefined;
    default:
      throw unsupported(value);
  }
}

function encodeObject(value: object): string {
  if (Array.isArray(value)) {
    return `{"L":[${value.map(encodeValue).filter((encoded) => encoded !== undefined)}]}`;
  }
  if (value instanceof Uint8Array) return `{"B":"${encodeBinary(value)}"}`;
  if (value instanceof Set) return encodeSet([...value]);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw unsupported(value);
  return `{"M":${encodeMap(value)}}`;
}

function encodeSet(members: readonly unknown[]): string {
  if (members.length === 0) throw new Error('DynamoDB has no empty sets.');
  if (members.every((member) => typeof member === 'string')) return `{"SS":${JSON.stringify(members)}}`;
  if (members.every((member) => typeof member === 'number' || typeof member === 'bigint')) {
    return `{"NS":${JSON.stringify(members.map(encodeNumber))}}`;
  }
  if (members.every((member) => member instanceof Uint8Array)) {
    return `{"BS":${JSON.stringify(members.map(encodeBinary))}}`;
  }
  throw unsupported(members);
}

function encodeNumber(value: number | bigint): string {
  if (typeof value === 'number' && !(Math.abs(value) <= Number.MAX_SAFE_INTEGER)) {
    throw new Error(`The number ${value} cannot be stored exactly.`);
  }
  return `${value}`;
}

const encodeBinary = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

function objectOf(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw unsupported(value);
  return value;
}

function arrayOf(value: unknown): readonly object[] {
  if (!Array.isArray(value)) throw unsupported(value);
  return value;
}

const unsupported = (value: unknown): Error =>
  new Error(`DynamoDB cannot store this value: ${Object.prototype.toString.call(value)}.`);
