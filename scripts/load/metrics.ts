/** Units of DynamoDB by what they were for, of all processes whose `/metrics` can be read. */
export type Units = ReadonlyMap<string, { readonly read: number; readonly write: number }>;

const LINE = /^tsudoi_dynamodb_(read|write)_units_total\{pattern="([^"]*)",[^}]*\} (\S+)$/gm;

/** Undefined if one of them cannot be read. */
export async function readUnits(
  urls: readonly string[],
  token: string | undefined,
): Promise<Units | undefined> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const units = new Map<string, { read: number; write: number }>();
  for (const url of urls) {
    const response = await fetch(url, { headers }).catch(() => undefined);
    if (response?.ok !== true) return undefined;
    for (const [, kind, pattern = '', value] of (await response.text()).matchAll(LINE)) {
      const sum = units.get(pattern) ?? { read: 0, write: 0 };
      units.set(pattern, sum);
      sum[kind === 'read' ? 'read' : 'write'] += Number(value);
    }
  }
  return units;
}

/** What was added between the two, the most expensive first. */
export function riseOf(
  before: Units,
  after: Units,
): ReadonlyArray<readonly [pattern: string, read: number, write: number]> {
  return [...after]
    .map(([pattern, { read, write }]) => {
      const old = before.get(pattern) ?? { read: 0, write: 0 };
      return [pattern, read - old.read, write - old.write] as const;
    })
    .filter(([, read, write]) => read + write > 0)
    .sort((a, b) => b[1] + 5 * b[2] - a[1] - 5 * a[2]);
}
