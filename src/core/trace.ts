/** A span as the code sees it. OpenTelemetry is behind it, if it is configured (`app/tracing`). */
export interface Span {
  /** The W3C's `traceparent`: what a stored item or another process needs to refer to this span. */
  readonly id: string;
  /** A part of it that begins now. */
  child(name: string, attributes?: Attributes): Span;
  set(attributes: Attributes): void;
  end(error?: unknown): void;
}

/** Never what users wrote, nor who they are. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly attributes?: Attributes;
  /** The `id` of the span that it belongs to. */
  readonly parent?: string;
  /** The ids of spans that led to it. */
  readonly links?: readonly string[];
  /** Milliseconds since 1970. Default: now. */
  readonly startedAt?: number;
}

export interface Tracer {
  /** Undefined if it is not recorded. What has a parent or a link always is, because those are. */
  begin(name: string, options?: SpanOptions): Span | undefined;
}

export interface Tracing {
  readonly tracer: Tracer;
  /** Resolves when what has ended was sent, or could not be, which may take five seconds. Never rejects. */
  flush(): Promise<void>;
  /** Sends what was not sent yet, for five seconds at most. Never rejects. */
  stop(): Promise<void>;
}
