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

/** What Prometheus 2 sends when it scrapes. */
export const OPEN_METRICS =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';

/** A line of OpenMetrics: `name{labels,le="…"} count # {trace_id="…",span_id="…"} value timestamp`. */
const EXEMPLAR = /^(\w+)\{(.*)\} \d+ # \{trace_id="([\da-f]{32})",span_id="([\da-f]{16})"\} (\S+) [\d.]+$/;

export interface ReadExemplar {
  readonly name: string;
  readonly labels: string;
  /** The bucket's upper bound. */
  readonly le: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly value: number;
}

/** Every exemplar of a text in OpenMetrics. Throws if there is one that is written in another way. */
export const exemplarsIn = (text: string): readonly ReadExemplar[] =>
  text.split('\n').flatMap((line) => {
    if (!line.includes(' # ')) return [];
    const [, name = '', labels = '', traceId = '', spanId = '', value] = EXEMPLAR.exec(line) ?? [];
    if (name === '') throw new Error(`This is not an exemplar: ${line}`);
    const le = Number(labelsOf(labels).le?.replace('+Inf', 'Infinity'));
    return [{ name, labels, le, traceId, spanId, value: Number(value) }];
  });
