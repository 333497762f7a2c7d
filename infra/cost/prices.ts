import { ON_DEMAND } from '../../src/dynamo/prices.ts';

/**
 * AWS' list prices of us-east-1 in dollars, without free tiers. Other regions are up to a third dearer. `SOURCES` has
 * the page of each.
 */
export const PRICES = {
  /** An hour of Fargate, by processor architecture. */
  fargate: {
    X86_64: { cpu: 0.04048, gib: 0.004445 },
    ARM64: { cpu: 0.03238, gib: 0.00356 },
  },
  publicAddressHour: 0.005,
  loadBalancerHour: 0.0225,
  loadBalancerUnitHour: 0.008,
  /** An hour of one node with Valkey. */
  cacheNodeHour: {
    'cache.t4g.micro': 0.0128,
    'cache.t4g.small': 0.0256,
    'cache.t4g.medium': 0.052,
    'cache.m7g.large': 0.1264,
  } as Readonly<Record<string, number>>,
  /** Functions on ARM. */
  functionGibSecond: 0.0000133334,
  functionCall: 0.2e-6,
  scheduledCall: 1e-6,
  ...ON_DEMAND,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  metricMonth: 0.3,
  endpointHour: 0.01,
  secretMonth: 0.4,
  gibOut: 0.09,
} as const;

export const HOURS = 730;
export const MINUTES = HOURS * 60;

export interface Source {
  /** The address of AWS' own list of prices. */
  readonly page: string;
  /** The day on which it was written down here, by hand: compare it with the page before a decision depends on it. */
  readonly noted: string;
}

const from = (path: string, noted = '2026-11-23'): Source => ({
  page: `https://aws.amazon.com/${path}/`,
  noted,
});

export const SOURCES: Readonly<Record<keyof typeof PRICES, Source>> = {
  fargate: from('fargate/pricing'),
  publicAddressHour: from('vpc/pricing'),
  loadBalancerHour: from('elasticloadbalancing/pricing'),
  loadBalancerUnitHour: from('elasticloadbalancing/pricing'),
  cacheNodeHour: from('elasticache/pricing'),
  functionGibSecond: from('lambda/pricing'),
  functionCall: from('lambda/pricing'),
  scheduledCall: from('eventbridge/pricing'),
  readUnit: from('dynamodb/pricing/on-demand'),
  writeUnit: from('dynamodb/pricing/on-demand'),
  alarmMonth: from('cloudwatch/pricing'),
  dashboardMonth: from('cloudwatch/pricing'),
  metricMonth: from('cloudwatch/pricing'),
  endpointHour: from('privatelink/pricing'),
  secretMonth: from('secrets-manager/pricing'),
  gibOut: from('ec2/pricing/on-demand'),
};

/** A line for each page, with its oldest date. */
export function sourceLines(): readonly string[] {
  const pages = new Map<string, string>();
  for (const { page, noted } of Object.values(SOURCES)) {
    const known = pages.get(page) ?? noted;
    pages.set(page, known < noted ? known : noted);
  }
  return [...pages].map(([page, noted]) => `${noted} ${page}`).sort();
}
