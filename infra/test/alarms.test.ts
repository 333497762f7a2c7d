import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LOG_EVENTS } from '../../src/core/logEvents.ts';
import { ROOT } from '../../test/support/builds/viteBuild.ts';
import { LOG_METRICS, metricValueOf, patternOf } from '../lib/logPatterns.ts';
import { FULL, ofType, synth } from './support/synth.ts';

describe('alarms', () => {
  test('each one is sent when it begins and when it ends, and names its section of the runbook', async () => {
    const stack = await synth(FULL);
    const alarms = ofType(stack, 'AWS::CloudWatch::Alarm');
    expect(alarms).toHaveLength(20);
    const runbook = await readFile(join(ROOT, 'docs', 'runbook.md'), 'utf8');
    const sections = [...runbook.matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name.toLowerCase());
    const named = alarms.map(({ AlarmDescription }) => String(AlarmDescription).split('#')[1]);
    expect(named.sort()).toEqual(sections.sort());
    for (const alarm of alarms) {
      expect(alarm.AlarmActions).toHaveLength(1);
      expect(alarm.OKActions).toEqual(alarm.AlarmActions);
      expect(alarm.AlarmDescription).toMatch(/\. docs\/runbook\.md#[a-z]+$/);
    }
    expect(ofType(stack, 'AWS::SNS::Subscription')).toMatchObject([
      { Protocol: 'email', Endpoint: 'ops@example.com' },
    ]);
    expect(ofType(stack, 'AWS::CloudWatch::Dashboard')).toHaveLength(1);
  });

  test('each one may publish to its topic: the policy allows CloudWatch, for alarms of this account', async () => {
    const stack = await synth(FULL);
    const policies = ofType(stack, 'AWS::SNS::TopicPolicy');
    for (const { AlarmActions } of ofType(stack, 'AWS::CloudWatch::Alarm')) {
      const [topic] = AlarmActions as readonly [{ readonly Ref: string }];
      expect(stack.resources[topic.Ref]?.Type).toBe('AWS::SNS::Topic');
      const statements = policies
        .filter(({ Topics }) => JSON.stringify(Topics) === JSON.stringify([topic]))
        .flatMap(({ PolicyDocument }) => (PolicyDocument as { readonly Statement: object[] }).Statement);
      const Condition = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
      expect(statements).toContainEqual(
        expect.objectContaining({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Resource: topic,
          Condition,
        }),
      );
    }
  });

  test('Valkey: each node is watched, because ElastiCache has no metrics of the group', async () => {
    const stack = await synth();
    const { NumCacheClusters } = ofType(stack, 'AWS::ElastiCache::ReplicationGroup')[0] ?? {};
    expect(NumCacheClusters).toBe(2);
    const [group] = Object.entries(stack.resources).flatMap(([id, { Type }]) =>
      Type === 'AWS::ElastiCache::ReplicationGroup' ? [id] : [],
    );
    const ofCache = ofType(stack, 'AWS::CloudWatch::Alarm').filter(({ AlarmDescription }) =>
      /#cache(busy|full)$/.test(String(AlarmDescription)),
    );
    expect(ofCache).toHaveLength(2);
    for (const { Metrics } of ofCache) {
      const dimensions = JSON.stringify(Metrics);
      for (const suffix of ['-001', '-002']) {
        const Value = { 'Fn::Join': ['', [{ Ref: group }, suffix]] };
        expect(dimensions).toContain(JSON.stringify([{ Name: 'CacheClusterId', Value }]));
      }
      expect(dimensions).not.toContain('ReplicationGroupId');
      expect(dimensions).toMatch(/MAX\(\[FILL\((cpu|memory)0, 0\), FILL\(\1[1], 0\)\]\)/);
    }
  });

  test('jobs and late messages: a share of five minutes, and what lasts', async () => {
    const alarm = async (name: string) => {
      const found = ofType(await synth(), 'AWS::CloudWatch::Alarm', `Alarm${name}`);
      expect(found, name).toHaveLength(1);
      return found[0];
    };
    const common = { Namespace: 'Tsudoi/Tsudoi', Period: 300, Statistic: 'Maximum' };
    expect(await alarm('JobsNeedLook')).toMatchObject({
      ...common,
      MetricName: 'JobsStopped',
      Threshold: 0,
      EvaluationPeriods: 3,
      DatapointsToAlarm: 3,
    });
    expect(await alarm('JobsWait')).toMatchObject({
      ...common,
      MetricName: 'OldestJob',
      Threshold: 21_600_000,
      EvaluationPeriods: 1,
    });
    const late = await alarm('MessagesLate');
    expect(late).toMatchObject({ Threshold: 1, EvaluationPeriods: 2 });
    // A single late message at night raises nothing.
    expect(late?.Metrics).toMatchObject([
      { Expression: 'IF(FILL(messages, 0) > 20, 100 * FILL(late, 0) / messages, 0)' },
      { Id: 'messages', MetricStat: { Metric: { MetricName: 'Messages' }, Period: 300, Stat: 'Sum' } },
      { Id: 'late', MetricStat: { Metric: { MetricName: 'MessagesLate' }, Period: 300, Stat: 'Sum' } },
    ]);
  });

  test('no data is bad if it means that nothing works', async () => {
    const stack = await synth();
    const bad = Object.entries(stack.resources).filter(
      ([, { Type, Properties }]) =>
        Type === 'AWS::CloudWatch::Alarm' && Properties.TreatMissingData === 'breaching',
    );
    expect(bad.map(([id]) => id.replace(/^TsudoiAlarm|.{8}$/g, ''))).toEqual(['TimersOverdue', 'NoServers']);
  });

  test('the metrics of logs are made of events that the program logs', async () => {
    const used = new Set(Object.values(LOG_METRICS).map(({ event }) => event));
    expect([...used].sort()).toEqual(Object.values(LOG_EVENTS).toSorted());
    const filters = ofType(await synth(), 'AWS::Logs::MetricFilter').map(
      ({ FilterPattern, MetricTransformations }) => {
        const [{ MetricName, MetricValue }] = MetricTransformations as [Record<string, string>];
        return [MetricName, FilterPattern, MetricValue];
      },
    );
    expect(filters.sort()).toEqual(
      Object.entries(LOG_METRICS)
        .map(([name, metric]) => [name, patternOf(metric), metricValueOf(metric)])
        .sort(),
    );
    expect(patternOf({ event: 'timers', and: '$.active IS TRUE' })).toBe(
      '{ ($.event = "timers") && ($.active IS TRUE) }',
    );
  });
});
