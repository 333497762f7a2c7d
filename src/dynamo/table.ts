import { IMPORTED } from './item.ts';
import { DEFAULT_LAYOUT, type KeyLayout } from './keyLayout.ts';
import { keys } from './keys.ts';
import { FIRST_SHAPE } from './shapes.ts';

/** What items of earlier releases lack. Each is added once, in the background, by the feature that needs it. */
export const CONVERSIONS = ['handles', 'likes'] as const;

/** The item that says that a conversion is done. A new table has nothing to convert. */
export const converted = (conversion: (typeof CONVERSIONS)[number]) => ({
  ...keys.conversion(conversion),
  v: FIRST_SHAPE,
  ...IMPORTED,
});

export const INDEX = 'gsi1';

/** The attribute with the time at which DynamoDB may delete an item, in seconds since 1970. */
export const EXPIRES_AT = 'expiresAt';

/** The parameters of `CreateTable`. The infrastructure code is built from them as well. */
export const tableDefinition = (name: string, layout: KeyLayout = DEFAULT_LAYOUT) => ({
  TableName: name,
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: [
    { AttributeName: layout.pk, AttributeType: 'S' as const },
    { AttributeName: layout.sk, AttributeType: 'S' as const },
    { AttributeName: layout.gsi1pk, AttributeType: 'S' as const },
    { AttributeName: layout.gsi1sk, AttributeType: 'S' as const },
  ],
  KeySchema: [
    { AttributeName: layout.pk, KeyType: 'HASH' as const },
    { AttributeName: layout.sk, KeyType: 'RANGE' as const },
  ],
  GlobalSecondaryIndexes: [
    {
      IndexName: INDEX,
      KeySchema: [
        { AttributeName: layout.gsi1pk, KeyType: 'HASH' as const },
        { AttributeName: layout.gsi1sk, KeyType: 'RANGE' as const },
      ],
      // Keys only: the index lags, so everything that it names is read from the table before it is shown.
      Projection: { ProjectionType: 'KEYS_ONLY' as const },
    },
  ],
  StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const },
});
