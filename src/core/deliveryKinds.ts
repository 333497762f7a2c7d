import { parseSeconds } from './duration.ts';
import { DAY_S } from './timestamps.ts';

/** What is delivered outside the page. The kinds are stored: do not rename one. */
export const DELIVERY_KINDS = [
  ...(['MENTION', 'REPLY', 'LIKE', 'STAMP', 'DIRECT_MESSAGE', 'MESSAGE', 'JOIN'] as const),
  ...(['SEAT', 'INVITED', 'REMINDER'] as const),
] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** When something of one kind is delivered, for each person and room. Both are 0 to `WINDOW_MAX_S`. */
export interface DeliveryWindow {
  /** How long the first one waits, so that what follows is gathered with it, and reading it cancels it. */
  readonly delaySeconds: number;
  /** The least time between two deliveries. */
  readonly windowSeconds: number;
}

export type DeliveryWindows = Readonly<Record<DeliveryKind, DeliveryWindow>>;

/** Kinds that are off until a person switches them on. All others are on. */
export const OFF_BY_DEFAULT: readonly DeliveryKind[] = ['JOIN'];

/** The defaults. */
export const DELIVERY_WINDOWS: DeliveryWindows = {
  MENTION: { delaySeconds: 10, windowSeconds: 60 },
  REPLY: { delaySeconds: 60, windowSeconds: 600 },
  LIKE: { delaySeconds: 3_600, windowSeconds: 3_600 },
  STAMP: { delaySeconds: 3_600, windowSeconds: 3_600 },
  DIRECT_MESSAGE: { delaySeconds: 10, windowSeconds: 60 },
  MESSAGE: { delaySeconds: 600, windowSeconds: 600 },
  JOIN: { delaySeconds: 3_600, windowSeconds: 3_600 },
  SEAT: { delaySeconds: 0, windowSeconds: 0 },
  INVITED: { delaySeconds: 600, windowSeconds: 600 },
  REMINDER: { delaySeconds: 0, windowSeconds: 0 },
};

export const WINDOW_MAX_S = 7 * DAY_S;

export const DELIVERY_WINDOWS_RULE =
  `must be a comma-separated list such as MENTION=10s/60s,LIKE=60m/60m (of ${DELIVERY_KINDS.join(', ')}: how long ` +
  'the first delivery waits, and the least time between two; 0s to 7d, in s, m, h or d)';

const PART = /^([A-Z_]+)=(\w+)\/(\w+)$/;

/** The windows that a text such as `MENTION=10s/60s` changes, and the others. Undefined if it breaks the rule. */
export function parseDeliveryWindows(text: string): DeliveryWindows | undefined {
  const windows: Record<DeliveryKind, DeliveryWindow> = { ...DELIVERY_WINDOWS };
  const named = new Set<string>();
  for (const part of text.split(',')) {
    const [, name, delay = '', window = ''] = PART.exec(part.trim()) ?? [];
    const kind = DELIVERY_KINDS.find((known) => known === name);
    const delaySeconds = parseSeconds(delay);
    const windowSeconds = parseSeconds(window);
    if (kind === undefined || named.has(kind)) return undefined;
    if (delaySeconds === undefined || windowSeconds === undefined) return undefined;
    if (delaySeconds > WINDOW_MAX_S || windowSeconds > WINDOW_MAX_S) return undefined;
    named.add(kind);
    windows[kind] = { delaySeconds, windowSeconds };
  }
  return windows;
}
