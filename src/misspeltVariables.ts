import { type Environment, Variables } from './variables.ts';

/** What other programs call what is a setting here. */
const OTHER_NAMES: Readonly<Record<string, keyof Variables>> = {
  CORS_ORIGIN: 'ALLOWED_ORIGINS',
  CORS_ORIGINS: 'ALLOWED_ORIGINS',
  DATA_DIRECTORY: 'DATA_DIR',
  DATA_PATH: 'DATA_DIR',
  DYNAMODB_TABLE: 'TABLE_NAME',
  DYNAMODB_URL: 'DYNAMODB_ENDPOINT',
  GRAPHQL_PORT: 'PORT',
  HTTP_PORT: 'PORT',
  JWKS_URI: 'AUTH_JWKS_URL',
  JWKS_URL: 'AUTH_JWKS_URL',
  SMTP_FROM: 'MAIL_FROM',
  SMTP_HOST: 'SMTP_URL',
  TRUST_PROXY: 'TRUSTED_PROXIES',
  TRUSTED_PROXY: 'TRUSTED_PROXIES',
};

/** Variables of OpenTelemetry, AWS and Auth.js that look like a part of a setting's name. */
const OF_OTHERS = ['OTEL_TRACES_SAMPLER', 'AWS_DEFAULT', 'AUTH_URL'];

/** Names shorter than this are similar to many others (`PORT`, `HOST`, `ROLE`). */
const COMPARED_FROM = 6;

/** A line for each variable that is not a setting and whose name is nearly that of one. */
export function misspeltVariables(env: Environment): string[] {
  const settings = Object.keys(Variables.shape);
  return Object.entries(env).flatMap(([name, value]) => {
    if (settings.includes(name) || OF_OTHERS.includes(name) || isOfKubernetes(value)) return [];
    const upper = name.toUpperCase();
    const meant = OTHER_NAMES[upper] ?? settings.find((setting) => isMeant(upper, setting));
    return meant === undefined ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
  });
}

/** Kubernetes sets `GRAPHQL_PORT` to such an address if there is a service with the name `graphql`. */
const isOfKubernetes = (value: string | undefined) => /^(tcp|udp|sctp):/.test(value ?? '');

function isMeant(name: string, setting: string): boolean {
  if (setting.length < COMPARED_FROM) return isDoubled(name, setting) || isSwapped(name, setting);
  if (name.length < COMPARED_FROM) return false;
  return isNear(name, setting) || isShortened(name, setting);
}

/** Whether one character is missing, added or wrong, or two neighbours are swapped. */
function isNear(name: string, setting: string): boolean {
  const start = commonStart(name, setting);
  return (
    name.slice(start + 1) === setting.slice(start + 1) ||
    name.slice(start + 1) === setting.slice(start) ||
    name.slice(start) === setting.slice(start + 1) ||
    isSwapped(name, setting)
  );
}

function isSwapped(name: string, setting: string): boolean {
  const at = commonStart(name, setting);
  return (
    name[at] === setting[at + 1] &&
    name[at + 1] === setting[at] &&
    name.slice(at + 2) === setting.slice(at + 2)
  );
}

/** Whether one character was typed twice: `PORTT`. */
function isDoubled(name: string, setting: string): boolean {
  const at = commonStart(name, setting);
  return at > 0 && name[at] === name[at - 1] && name.slice(at + 1) === setting.slice(at);
}

/** Whether it is the first word of a setting and at least one of the others, in their order: `VAPID_KEY`. */
function isShortened(name: string, setting: string): boolean {
  const [words, all] = [name.split('_'), setting.split('_')];
  if (words.length < 2 || words.length >= all.length || words[0] !== all[0]) return false;
  let at = 0;
  return words.every((word) => {
    at = all.indexOf(word, at) + 1;
    return at > 0;
  });
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
