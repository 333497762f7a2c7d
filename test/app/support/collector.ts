/** A collector of traces: OTLP over HTTP, as protobuf (https://opentelemetry.io/docs/specs/otlp/). */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

export interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first span of a trace. */
  readonly parentId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string | number>>;
  /** The span ids that led to it. */
  readonly links: readonly string[];
  readonly failed: boolean;
  readonly service: string;
}

export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The headers of the last request. */
  readonly headers: () => IncomingHttpHeaders;
  /** How many requests it has received. */
  readonly requests: () => number;
  stop(): Promise<void>;
}

export interface CollectorOptions {
  readonly status?: number;
  /** It responds to nothing. */
  readonly hangs?: boolean;
}

export async function startCollector({
  status = 200,
  hangs = false,
}: CollectorOptions = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  let requests = 0;
  let headers: IncomingHttpHeaders = {};
  const server = createServer((request, response) => {
    ({ headers } = request);
    requests++;
    if (hangs) return;
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const isTraces =
        request.url === '/v1/traces' && request.headers['content-type'] === 'application/x-protobuf';
      const body = Buffer.concat(parts);
      if (isTraces && status === 200) {
        spans.push(...spansIn(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      }
      response.writeHead(isTraces ? status : 404, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers: () => headers,
    requests: () => requests,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The fields of a protobuf message by their numbers: bytes, or a number. */
type Fields = ReadonlyMap<number, ReadonlyArray<Buffer | bigint>>;

function fieldsOf(message: Buffer): Fields {
  const fields = new Map<number, Array<Buffer | bigint>>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const value = valueIn(tag & 7, varint, bytes);
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

function valueIn(type: number, varint: () => bigint, bytes: (length: number) => Buffer): Buffer | bigint {
  if (type === 0) return varint();
  if (type === 1) return bytes(8).readBigUInt64LE();
  if (type === 2) return bytes(Number(varint()));
  if (type === 5) return BigInt(bytes(4).readUInt32LE());
  throw new Error(`There is no type ${type} in protobuf.`);
}

const messagesIn = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((value) => fieldsOf(value as Buffer));
const bytesIn = (fields: Fields, number: number): Buffer =>
  (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.of();
const millis = (fields: Fields, number: number): number => Number(fields.get(number)?.[0] ?? 0) / 1e6;

function attributesIn(fields: Fields, number: number): Record<string, string | number> {
  return Object.fromEntries(
    messagesIn(fields, number).map((pair) => {
      const [value] = messagesIn(pair, 2);
      const text = value?.get(1)?.[0];
      const double = value?.get(4)?.[0];
      const other =
        typeof double === 'bigint'
          ? Buffer.from(BigUint64Array.of(double).buffer).readDoubleLE()
          : Number(value?.get(3)?.[0] ?? value?.get(2)?.[0]);
      return [bytesIn(pair, 1).toString(), text === undefined ? other : String(text)];
    }),
  );
}

function spansIn(request: Buffer): ReceivedSpan[] {
  return messagesIn(fieldsOf(request), 1).flatMap((ofResource) => {
    const service = String(messagesIn(ofResource, 1).map((one) => attributesIn(one, 1)['service.name'])[0]);
    return messagesIn(ofResource, 2).flatMap((ofScope) =>
      messagesIn(ofScope, 2).map((span) => ({
        name: bytesIn(span, 5).toString(),
        traceId: bytesIn(span, 1).toString('hex'),
        spanId: bytesIn(span, 2).toString('hex'),
        parentId: bytesIn(span, 4).toString('hex'),
        startedAt: millis(span, 7),
        endedAt: millis(span, 8),
        attributes: attributesIn(span, 9),
        links: messagesIn(span, 13).map((link) => bytesIn(link, 2).toString('hex')),
        failed: messagesIn(span, 15).some((status) => status.get(3)?.[0] === 2n),
        service,
      })),
    );
  });
}
