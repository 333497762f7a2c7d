/** The metrics of a running server, as a scraper reads them. */
export interface ReadMetrics {
  readonly text: string;
  /** Every name that has a value, and every name that has a `TYPE`. */
  readonly names: ReadonlySet<string>;
  /** The sum of the values with this name and these labels. 0 if there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
}

export async function readMetrics(url: string): Promise<ReadMetrics> {
  const response = await fetch(`${url}/metrics`);
  if (!response.ok) throw new Error(`/metrics responds with ${response.status}.`);
  const text = await response.text();
  const samples = text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: labelsOf(labels), value: Number(value) }];
  });
  const declared = [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  );
  return {
    text,
    names: new Set([...declared, ...samples.map(({ name }) => name)]),
    value: (wanted, labels = {}) =>
      samples
        .filter(
          ({ name, labels: own }) =>
            name === wanted && Object.keys(labels).every((key) => own[key] === labels[key]),
        )
        .reduce((sum, { value }) => sum + value, 0),
  };
}

const labelsOf = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
