/** AWS' list prices of us-east-1 in dollars, without free tiers. Other regions are up to a third dearer. */
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
  /** DynamoDB on demand. */
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
  alarmMonth: 0.1,
  dashboardMonth: 3,
  metricMonth: 0.3,
  endpointHour: 0.01,
  secretMonth: 0.4,
  gibOut: 0.09,
} as const;

export const HOURS = 730;
export const MINUTES = HOURS * 60;
