/** The origin of a push service: `https://push.example.com`, or all hosts below one: `https://*.example.com`. */
export type PushOrigin = string;

/** The services of the browsers' makers. */
export const PUSH_ORIGINS: readonly PushOrigin[] = [
  'https://fcm.googleapis.com',
  'https://updates.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
];

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d{1,5})?$/;

/** Whether a text can be one of the origins. `http:` only on this machine, for tests. */
export function isPushOrigin(text: string): boolean {
  const host = text.replace('://*.', '://any.');
  if (host.includes('*') || !URL.canParse(host) || new URL(host).origin !== host) return false;
  return host.startsWith('https://') || LOOPBACK.test(text);
}

/** The entry of the list that allows the endpoint. Undefined if none does. */
export function pushOriginOf(endpoint: string, origins: readonly PushOrigin[]): PushOrigin | undefined {
  if (!URL.canParse(endpoint)) return undefined;
  const { origin, username, password } = new URL(endpoint);
  if (username !== '' || password !== '') return undefined;
  return origins.find((allowed) => {
    const [scheme = '', suffix] = allowed.split('*');
    if (suffix === undefined) return origin === allowed;
    return origin.startsWith(scheme) && origin.endsWith(suffix) && origin.length > allowed.length - 1;
  });
}
