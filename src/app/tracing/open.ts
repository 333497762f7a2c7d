import type { Config } from '../../config.ts';
import type { OutageLog } from '../../core/log.ts';
import type { Tracing } from '../../core/trace.ts';

/** OpenTelemetry is loaded only here, and only if there is a collector. */
export async function openTracing(
  { traces, role }: Pick<Config, 'traces' | 'role'>,
  log: OutageLog,
): Promise<Tracing | undefined> {
  if (traces === undefined) return undefined;
  const { createTracing } = await import('./openTelemetry.ts');
  return createTracing({ ...traces, role, log });
}
