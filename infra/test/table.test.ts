/** The table of the template, and one that exists in its place. */
import { App, Stack } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { tableDefinition } from '../../src/dynamo/table.ts';
import { Tsudoi } from '../lib/tsudoi.ts';
import { settings } from '../settings.ts';
import { actionsOf, containers, environmentOf, ofType, synth } from './support/synth.ts';

describe('the table', () => {
  test('has the keys, the index and the stream that the program creates', async () => {
    const [table] = ofType(await synth(), 'AWS::DynamoDB::GlobalTable');
    const { TableName, KeySchema, GlobalSecondaryIndexes, StreamSpecification, AttributeDefinitions } =
      tableDefinition('tsudoi');
    expect(table).toMatchObject({
      TableName,
      KeySchema,
      GlobalSecondaryIndexes,
      AttributeDefinitions,
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: StreamSpecification.StreamViewType },
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  test('outlives the stack, and can be restored to any second', async () => {
    (await synth()).template.hasResource('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Replicas: [
          Match.objectLike({
            DeletionProtectionEnabled: true,
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          }),
        ],
      },
    });
  });
});

describe('a table that exists', () => {
  const name = 'tsudoi-restored';
  const streamArn = `arn:aws:dynamodb:eu-west-1:111122223333:table/${name}/stream/2026-11-24T00:00:00.000`;
  const existingTable = { name, streamArn };

  test('is used by everything, and no other one is made', async () => {
    const stack = await synth({ existingTable });
    stack.template.resourceCountIs('AWS::DynamoDB::GlobalTable', 0);
    expect(ofType(stack, 'AWS::Lambda::EventSourceMapping')).toMatchObject([{ EventSourceArn: streamArn }]);
    const environments = [
      ...['ApiTask', 'CommandsTask'].map((task) => environmentOf(containers(stack, task)[0]?.Environment)),
      ...ofType(stack, 'AWS::Lambda::Function').map(({ Environment }) =>
        environmentOf((Environment as { Variables: unknown }).Variables),
      ),
    ];
    expect(environments.map(({ TABLE_NAME }) => TABLE_NAME)).toEqual([name, name, name, name]);
    const throttles = ofType(stack, 'AWS::CloudWatch::Alarm', 'Throttled').map(({ Metrics }) => Metrics);
    expect(JSON.stringify(throttles)).toContain(`{"Name":"TableName","Value":"${name}"}`);
  });

  test.each(['ApiTaskTaskRole', 'CommandsTaskTaskRole', 'ConsumerServiceRole', 'TimersServiceRole'])(
    'gives %s the same permissions as one that is made',
    async (role) => {
      const stack = await synth({ existingTable });
      expect(actionsOf(stack, role)).toEqual(actionsOf(await synth(), role));
      const policies = JSON.stringify(ofType(stack, 'AWS::IAM::Policy', role));
      expect(policies).toContain(`:table/${name}"`);
      expect(policies).toContain(`:table/${name}/index/gsi1"`);
    },
  );

  test('is read by a worker while the consumer is paused', async () => {
    const stack = await synth({ existingTable, consumer: { paused: true } });
    expect(ofType(stack, 'AWS::Lambda::EventSourceMapping')).toMatchObject([{ Enabled: false }]);
    const read = ['DescribeStream', 'GetRecords', 'GetShardIterator'].map((action) => `dynamodb:${action}`);
    expect(actionsOf(stack, 'CommandsTaskTaskRole')).toEqual(expect.arrayContaining(read));
    expect(actionsOf(stack, 'ApiTaskTaskRole')).not.toEqual(expect.arrayContaining(read));
    // Its log is that of the servers, and raises the same alarms.
    const ofServers = ofType(stack, 'AWS::Logs::MetricFilter').filter(({ LogGroupName }) =>
      JSON.stringify(LogGroupName).includes('ApiLog'),
    );
    const names = ofServers.map(
      ({ MetricTransformations }) => (MetricTransformations as [{ MetricName: string }])[0].MetricName,
    );
    expect(names.sort()).toEqual([
      ...['DeliveriesFailed', 'JobsStopped', 'Messages', 'MessagesLate', 'OldestJob'],
      ...['SetAside', 'Sockets', 'TimersFailed'],
    ]);
  });

  test('may be in another account: everything names it by its ARN', async () => {
    const arn = 'arn:aws:dynamodb:eu-west-1:222222222222:table/tsudoi';
    const there = { name: arn, streamArn: `${arn}/stream/2026-11-24T00:00:00.000` };
    const stack = await synth({ existingTable: there, consumer: { paused: true } });
    for (const task of ['ApiTask', 'CommandsTask'])
      expect(environmentOf(containers(stack, task)[0]?.Environment).TABLE_NAME).toBe(arn);
    for (const role of ['ApiTaskTaskRole', 'CommandsTaskTaskRole', 'TimersServiceRole']) {
      const policies = JSON.stringify(ofType(stack, 'AWS::IAM::Policy', role));
      expect(policies).toContain(`"${arn}"`);
      expect(policies).toContain(`"${arn}/index/gsi1"`);
    }
    const streamArn = there.streamArn.replace('222222222222', '111122223333');
    await expect(synth({ existingTable: { ...there, streamArn } })).rejects.toThrow('streamArn is not');
  });

  test('is refused with the stream of another one, or with the name of one to make', async () => {
    const wrong = { tableName: 'tsudoi', existingTable: { name: 'tsudoi-restore', streamArn } };
    await expect(synth(wrong)).rejects.toThrow(
      /tableName is for a table that is made[\s\S]*streamArn is not/,
    );
  });

  test('is refused in another region than that of the stack, if that one is known', () => {
    const directories = { functionsDirectory: '.', imageDirectory: '.' };
    for (const table of [name, streamArn.slice(0, streamArn.indexOf('/stream/'))]) {
      const stack = new Stack(new App(), 'Elsewhere', { env: { region: 'eu-central-1' } });
      const props = { ...settings, ...directories, existingTable: { name: table, streamArn } };
      expect(() => new Tsudoi(stack, 'Tsudoi', props)).toThrow(
        'existingTable is in eu-west-1, and the stack in eu-central-1: they must be in one region.',
      );
    }
  });
});
