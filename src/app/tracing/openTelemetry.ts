/** The only file that imports OpenTelemetry. It is loaded only if traces are configured. */

import {
  type Context,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracesConfig } from '../../config.ts';
import { defined } from '../../core/defined.ts';
import { createHealth } from '../../core/health.ts';
import type { OutageLog } from '../../core/log.ts';
import type { Attributes, Span, SpanOptions, Tracer, Tracing } from '../../core/trace.ts';

interface TracingOptions extends TracesConfig {
  readonly role: string;
  readonly log: OutageLog;
}

/** For one request to the collector, and for the rest when the process stops. */
const EXPORT_MS = 5_000;
/** Spans that wait. If there are more, they are dropped: traces never delay what they describe. */
const QUEUE_MAX = 2_048;

export function createTracing({ endpoint, ratio, service, role, log }: TracingOptions): Tracing {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = watched(new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS }), log);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'tsudoi.role': role }),
    sampler: createSampler(ratio),
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: QUEUE_MAX, exportTimeoutMillis: EXPORT_MS }),
    ],
  });
  const tracer = provider.getTracer('tsudoi');
  return {
    tracer: createTracer(tracer),
    async flush() {
      // The provider sends what waits, and the exporter knows what it is sending already.
      await Promise.allSettled([provider.forceFlush(), exporter.forceFlush?.()]);
    },
    stop: () => provider.shutdown().catch(() => {}),
  };
}

/** A share of the operations, and everything that belongs to one of these or follows from it. */
function createSampler(ratio: number): Sampler {
  const ofRoots = new TraceIdRatioBasedSampler(ratio);
  return {
    shouldSample(context, traceId, _name, _kind, _attributes, links) {
      const isPart = trace.getSpanContext(context) !== undefined || links.length > 0;
      return isPart
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : ofRoots.shouldSample(context, traceId);
    },
    toString: () => `of ${ratio} of the operations`,
  };
}

function createTracer(tracer: OtelTracer): Tracer {
  return {
    begin(name, options = {}) {
      const span = tracer.startSpan(name, startOf(options), parentOf(options));
      return span.isRecording() ? new RecordedSpan(tracer, span) : undefined;
    },
  };
}

class RecordedSpan implements Span {
  readonly id: string;
  readonly #tracer: OtelTracer;
  readonly #span: OtelSpan;

  constructor(tracer: OtelTracer, span: OtelSpan) {
    this.#tracer = tracer;
    this.#span = span;
    const { traceId, spanId } = span.spanContext();
    this.id = `00-${traceId}-${spanId}-01`;
  }

  child(name: string, attributes: Attributes = {}): Span {
    const context = trace.setSpan(ROOT_CONTEXT, this.#span);
    return new RecordedSpan(this.#tracer, this.#tracer.startSpan(name, { attributes }, context));
  }

  set(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Records only the error's name, because its message may quote what users wrote. */
  end(error?: unknown): void {
    if (error !== undefined) {
      const message = error instanceof Error ? error.name : 'Error';
      this.#span.setStatus({ code: SpanStatusCode.ERROR, message });
    }
    this.#span.end();
  }
}

const startOf = ({ attributes = {}, links = [], startedAt }: SpanOptions) => ({
  attributes,
  links: links.flatMap((id) => {
    const context = spanContextOf(id);
    return context === undefined ? [] : [{ context }];
  }),
  ...defined({ startTime: startedAt }),
});

function parentOf({ parent }: SpanOptions): Context {
  const context = parent === undefined ? undefined : spanContextOf(parent);
  return context === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
}

const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-01$/;

function spanContextOf(id: string): SpanContext | undefined {
  const [, traceId, spanId] = TRACEPARENT.exec(id) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
}

/** Logs once that the collector cannot be reached, and once that it can again. */
function watched(exporter: OTLPTraceExporter, log: OutageLog): SpanExporter {
  const health = createHealth({
    log,
    down: 'Traces cannot be sent; they are dropped until it works again',
    up: 'Traces are sent again',
    // The error may quote the response, and the URL.
    describe: (error) => ({ error: error instanceof Error ? error.name : 'Error' }),
  });
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error === undefined) health.worked();
        else health.failed(result.error);
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
}
