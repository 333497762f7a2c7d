/**
 * What a table on demand costs in dollars: the list prices of us-east-1
 * (https://aws.amazon.com/dynamodb/pricing/on-demand, since November 2024). Other regions are up to a third dearer.
 */
export const ON_DEMAND = {
  readUnit: 0.125e-6,
  writeUnit: 0.625e-6,
} as const;
