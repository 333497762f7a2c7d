import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';

const ARN = 'arn:aws:dynamodb:eu-central-1:123456789012:table/tsudoi/stream/2026-11-20T10:11:12.345';

/** Sequence numbers like those of AWS: long, rising, with gaps. */
export const sequenceOf = (n: number): string =>
  String(4_421_584_500_000_000_017n * 10n ** 9n + BigInt(n * 37));

const common = (n: number) => ({
  eventID: `c4ca4238a0b923820dcc509a6f75849${n % 10}`,
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: 'eu-central-1',
  eventSourceARN: ARN,
});

const stream = (n: number, pk: string, sk: string) => ({
  ApproximateCreationDateTime: 1_795_000_000 + n,
  Keys: { pk: { S: pk }, sk: { S: sk } },
  SequenceNumber: sequenceOf(n),
  SizeBytes: 231,
  StreamViewType: 'NEW_AND_OLD_IMAGES' as const,
});

/** A root is inserted. */
export function sent(n: number): DynamoDBRecord {
  const stamp = String(1_795_000_000_000_000 + n);
  const dynamodb = stream(n, 'ROOM#r1', `ROOT#${stamp}#${stamp}`);
  return {
    ...common(n),
    eventName: 'INSERT',
    dynamodb: {
      ...dynamodb,
      NewImage: {
        ...dynamodb.Keys,
        v: { N: '1' },
        n: { N: String(n) },
        author: { S: 'u1' },
        body: { S: 'hello' },
        mentions: { L: [{ S: 'u2' }] },
      },
    },
  };
}

/** A membership's read position moves. */
export function read(n: number): DynamoDBRecord {
  const dynamodb = stream(n, 'USER#u1', 'ROOM#r1');
  const image = { ...dynamodb.Keys, v: { N: '1' }, muted: { BOOL: false } };
  return {
    ...common(n),
    eventName: 'MODIFY',
    dynamodb: {
      ...dynamodb,
      OldImage: { ...image, rev: { N: '4' }, readPosition: { N: '10' } },
      NewImage: { ...image, rev: { N: '5' }, readPosition: { N: '12' } },
    },
  };
}

/** An idempotency item expires. */
export function expired(n: number): DynamoDBRecord {
  const dynamodb = stream(n, 'USER#u1', 'SENT#47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU');
  return {
    ...common(n),
    eventName: 'REMOVE',
    userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
    dynamodb: { ...dynamodb, OldImage: { ...dynamodb.Keys, v: { N: '1' }, expiresAt: { N: '1794999999' } } },
  };
}

export const eventOf = (...records: DynamoDBRecord[]): DynamoDBStreamEvent => ({ Records: records });
