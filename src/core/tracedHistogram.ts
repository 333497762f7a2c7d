import { Histogram, type Registry } from 'prom-client';

/** What a scraper gets that asks for it: the text format with exemplars. */
export type OpenMetricsRegistry = Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>;

interface TracedHistogramOptions<T extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly T[];
  readonly buckets: number[];
  readonly registry: Registry;
  readonly openMetrics: OpenMetricsRegistry;
}

type Labels<T extends string> = Partial<Record<T, string>>;

/** `span`: the `id` of the span that the value belongs to. Undefined: it is not traced. */
type Observe = (value: number, span: string | undefined) => void;

/**
 * A histogram of what traces explain. Each of its buckets keeps the newest span that fell into it, as an exemplar: one
 * for each bucket and each set of labels, which have a bound.
 */
export class TracedHistogram<T extends string = never> {
  readonly #histogram: Histogram;

  constructor({ registry, openMetrics, labelNames = [], ...options }: TracedHistogramOptions<T>) {
    const registers = [openMetrics];
    this.#histogram = new Histogram({ ...options, labelNames, registers, enableExemplars: true });
    // It refuses to be made with a registry of the plain format, which leaves the exemplars out.
    registry.registerMetric(this.#histogram);
  }

  observe(labels: Labels<T>, value: number, span: string | undefined): void {
    this.#histogram.observe({ labels, value, ...(span === undefined ? {} : { exemplarLabels: of(span) }) });
  }

  /** How many values there were, and how many of them above a bound of the buckets, with any labels. */
  async countAbove(bound: number): Promise<{ readonly all: number; readonly above: number }> {
    const { values } = await this.#histogram.get();
    const sum = (isWanted: (value: (typeof values)[number]) => boolean) =>
      values.reduce((total, one) => (isWanted(one) ? total + one.value : total), 0);
    const all = sum(({ metricName }) => metricName?.endsWith('_count') === true);
    return { all, above: all - sum(({ labels }) => labels.le === bound) };
  }

  /** `observe` for one set of labels. If nothing is traced, this is as fast as a histogram without exemplars. */
  labels(labels: Labels<T>): Observe {
    const untraced = this.#histogram.labels(labels);
    return (value, span) => {
      if (span === undefined) untraced.observe(value);
      else this.observe(labels, value, span);
    };
  }
}

/** The labels that Grafana and Prometheus' documentation use. The span's id is a `traceparent`. */
function of(span: string): Readonly<Record<string, string>> {
  const [, trace_id = '', span_id = ''] = span.split('-');
  return { trace_id, span_id };
}
