import type { RetentionDays } from 'aws-cdk-lib/aws-logs';

/** The settings that are secret, by their names as environment variables. */
export const SECRET_SETTINGS = [
  'AUTH_SECRET',
  'METRICS_TOKEN',
  'VAPID_PRIVATE_KEY',
  'WEBHOOKS',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;
export type SecretSetting = (typeof SECRET_SETTINGS)[number];

/** The settings that `auth.signIn` stands for. */
export const SIGN_IN_SETTINGS = ['SIGN_IN_URL', 'SIGN_IN_CLIENT_ID', 'SIGN_IN_SCOPE'] as const;

/** How clients reach the service. Without a domain it is `http://` at the name of the load balancer: for trying out. */
export interface DomainProps {
  /** Such as `chat.example.com`. The service is at `https://` of it. */
  readonly name: string;
  /** A certificate of AWS Certificate Manager in the stack's region. Default: one is made, which needs `hostedZone`. */
  readonly certificateArn?: string;
  /** A zone of Route 53, in which the name gets its record. Default: you make the record. */
  readonly hostedZone?: { readonly id: string; readonly name: string };
}

/** The provider at which users of the web client sign in: `SIGN_IN_*` of the program's configuration. Servers only. */
export interface SignInProps {
  readonly url: string;
  readonly clientId: string;
  readonly scope?: string;
}

/** How tokens are checked: `AUTH_*` of the program's configuration. */
export type AuthProps =
  | {
      readonly jwksUrl: string;
      readonly issuer: string;
      readonly audience: string;
      /** Default: users of the web client enter a token. */
      readonly signIn?: SignInProps;
    }
  /** By `AUTH_SECRET` of the secret. */
  | { readonly issuer?: string; readonly audience?: string };

export interface SecretProps {
  /**
   * The whole ARN of a secret in Secrets Manager: a JSON object whose keys are `settings`, and whose values are the
   * texts that the program would get as environment variables.
   */
  readonly arn: string;
  /**
   * The keys that it has. With `WEBHOOKS` or `SMTP_URL`, or with the headers of a collector that
   * the consumer has (`consumer.tracesTo`), the network gets an endpoint of Secrets Manager.
   */
  readonly settings: readonly SecretSetting[];
}

/** The API servers. The defaults are for 10,000 users online. */
export interface ApiProps {
  /** Units of Fargate: 1,024 are one processor. Default 1,024. A server uses one. */
  readonly cpu?: 512 | 1_024 | 2_048;
  /** MiB, as Fargate has them for `cpu`. Default 2,048. */
  readonly memory?: number;
  /** Default 2, one in each zone. */
  readonly min?: number;
  /** Default 10. */
  readonly max?: number;
  /** A server is added if each has more open websockets on average. Default 5,000. At most 20,000 fit. */
  readonly socketsPerServer?: number;
  /** The processors that the image is for. Default X86_64. ARM64 is cheaper, and building it elsewhere is slow. */
  readonly architecture?: 'X86_64' | 'ARM64';
  /**
   * The network of Prometheus: private addresses such as `10.1.0.0/16`, or the id of a security group. The servers then
   * serve `/metrics` on a port of its own, to these only. The stack's network is 10.0.0.0/16; the peering with it is
   * yours. Default: no one reaches `/metrics`.
   */
  readonly metricsFrom?: string;
}

/** Redis' place is taken by Valkey, which speaks its protocol. It carries events and counters, and keeps nothing. */
export interface CacheProps {
  /** Default `cache.t4g.small`. */
  readonly nodeType?: string;
  /** Nodes that take over if the first one fails, in other zones. Default 1. */
  readonly replicas?: 0 | 1 | 2;
}

/** It must be in the stack's region, with what `tsudoi table` checks: index, stream, TTL. */
export interface ExistingTableProps {
  /** Its ARN if it is in another account, whose policies must name the roles of the stack: docs/aws.md. */
  readonly name: string;
  /** `LatestStreamArn` of `aws dynamodb describe-table`. */
  readonly streamArn: string;
}

export interface ConsumerProps {
  /**
   * The collector of its traces, such as `http://10.1.0.10:4318`: an address in the stack's network, or in one that is
   * peered with it, because the function reaches nothing else. Servers and the timers function use
   * `OTEL_EXPORTER_OTLP_ENDPOINT` of `settings`, which must be there, too. Default: the consumer sends no traces.
   */
  readonly tracesTo?: string;
  /**
   * The function gets no changes, and the task for commands may read the stream, so that a worker handles them instead:
   * after `reshape hand-over`. Default: false.
   */
  readonly paused?: boolean;
  /** MiB. Default 1,024: more is also more CPU. */
  readonly memory?: number;
  /**
   * How many batches of one shard are handled at once, 1 to 10. The changes of one partition key stay in order. Default
   * 2.
   */
  readonly parallelization?: number;
  /** Records in a batch, at most 1,000. Default 100. */
  readonly batchSize?: number;
}

export interface TsudoiProps {
  /** The name of the DynamoDB table that is made. Default `tsudoi`. */
  readonly tableName?: string;
  /**
   * A table that exists is used, and none is made: one that was restored, carried, or left by a stack that was deleted.
   * A table that the stack has made leaves the stack and stays in the account. docs/backups.md has the steps.
   */
  readonly existingTable?: ExistingTableProps;
  /** The folder of the Dockerfile, which becomes the image. */
  readonly imageDirectory: string;
  /** The folder that `npm run build:functions` writes. */
  readonly functionsDirectory: string;
  readonly domain?: DomainProps;
  readonly auth: AuthProps;
  /** Default: there is none. Then `auth` must have `jwksUrl`, and there are neither Web Push, webhooks nor e-mail. */
  readonly secret?: SecretProps;
  /** `mailto:` or `https:`, with `VAPID_PRIVATE_KEY` in the secret. */
  readonly vapidSubject?: string;
  /** The sender of digests, with `SMTP_URL` in the secret. */
  readonly mailFrom?: string;
  /**
   * Any other settings of the README's table that are not secret, for servers and functions. Those that the stack sets
   * itself are refused.
   */
  readonly settings?: Readonly<Record<string, string>>;
  readonly api?: ApiProps;
  readonly cache?: CacheProps;
  readonly consumer?: ConsumerProps;
  /** How long logs are kept. Default: a month. */
  readonly logRetention?: RetentionDays;
  /** Gets a mail for each alarm, after confirming the first one. Default: the topic has no subscribers. */
  readonly alarmEmail?: string;
}
