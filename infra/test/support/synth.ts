import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Template } from 'aws-cdk-lib/assertions';
import { buildFunctions } from '../../../test/support/builds/functions.ts';
import { ROOT } from '../../../test/support/builds/viteBuild.ts';
import type { TsudoiProps } from '../../lib/props.ts';
import { createStack } from '../../lib/stack.ts';
import { settings } from '../../settings.ts';

export type Resource = Readonly<{ Type: string; Properties: Readonly<Record<string, unknown>> }> &
  Readonly<Record<string, unknown>>;

export interface Synthesized {
  readonly template: Template;
  /** By their logical ids. */
  readonly resources: Readonly<Record<string, Resource>>;
}

export const SECRET_ARN = 'arn:aws:secretsmanager:eu-west-1:111122223333:secret:tsudoi-AbCdEf';

/** Everything that can be configured. */
export const FULL: Partial<TsudoiProps> = {
  domain: {
    name: 'chat.example.com',
    hostedZone: { id: 'Z0123456789', name: 'example.com' },
  },
  auth: { issuer: 'https://id.example.com/', audience: 'tsudoi' },
  secret: {
    arn: SECRET_ARN,
    settings: ['AUTH_SECRET', 'VAPID_PRIVATE_KEY', 'WEBHOOKS', 'SMTP_URL', 'OTEL_EXPORTER_OTLP_HEADERS'],
  },
  vapidSubject: 'mailto:ops@example.com',
  mailFrom: 'Tsudoi <chat@example.com>',
  alarmEmail: 'ops@example.com',
  settings: {
    NOTIFICATION_RETENTION_DAYS: '60',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://traces.example.com',
  },
};

const made = new Map<string, Promise<Synthesized>>();

/**
 * Makes the template of the stack with other settings, as `cdk synth` does: once for each. Rejects if cdk-nag finds
 * anything.
 */
export function synth(changed: Partial<TsudoiProps> = {}): Promise<Synthesized> {
  const key = JSON.stringify(changed);
  const found = made.get(key) ?? make(changed);
  made.set(key, found);
  return found;
}

async function make(changed: Partial<TsudoiProps>): Promise<Synthesized> {
  const outdir = await mkdtemp(join(tmpdir(), 'tsudoi-synth-'));
  try {
    const functionsDirectory = await buildFunctions();
    const props = { ...settings, functionsDirectory, imageDirectory: ROOT, ...changed };
    const { app, stack } = createStack('Tsudoi', props, { outdir });
    const template = Template.fromStack(stack);
    app.synth();
    return { template, resources: template.toJSON().Resources };
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

/** The properties of the resources of a type whose id contains a text. */
export const ofType = ({ resources }: Synthesized, type: string, part = '') =>
  Object.entries(resources)
    .filter(([id, resource]) => resource.Type === type && id.includes(part))
    .map(([, { Properties }]) => Properties);

interface Policy {
  readonly Statement: ReadonlyArray<{ readonly Action: string | readonly string[] }>;
}

/** What the role of something may do, in alphabetical order, by the id of its policy. */
export function actionsOf(stack: Synthesized, role: string): string[] {
  return ofType(stack, 'AWS::IAM::Policy', role)
    .flatMap(({ PolicyDocument }) => (PolicyDocument as Policy).Statement.flatMap(({ Action }) => Action))
    .sort();
}

/** The environment of a container or function, with what the template names replaced by an example. */
export function environmentOf(variables: unknown): Record<string, string> {
  const pairs = Array.isArray(variables)
    ? variables.map(({ Name, Value }) => [Name, Value])
    : Object.entries(variables ?? {});
  const examples: Readonly<Record<string, string>> = {
    REDIS_URL: 'rediss://cache.example.com:6380',
    PUBLIC_URL: 'https://chat.example.com',
    AWS_REGION: 'eu-west-1',
  };
  return Object.fromEntries(
    pairs.map(([name, value]) => [name, typeof value === 'string' ? value : (examples[name] ?? '')]),
  );
}

type Container = Readonly<{
  Environment: unknown;
  Secrets?: ReadonlyArray<{ Name: string; ValueFrom: unknown }>;
}>;

/** The containers of the task definitions whose id contains a text. */
export const containers = (stack: Synthesized, task: string) =>
  ofType(stack, 'AWS::ECS::TaskDefinition', task).flatMap(
    ({ ContainerDefinitions }) => ContainerDefinitions as readonly Container[],
  );
