import { fileURLToPath } from 'node:url';
import type { TsudoiProps } from './lib/props.ts';

/** The name of the stack. Its account and region are those of the AWS profile. */
export const stack = { name: 'Tsudoi' } as const;

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

const EXAMPLE = 'https://id.example.com/';

/** Whether `auth` is still that of the example. */
export const isExample = ({ auth }: TsudoiProps): boolean => auth.issuer === EXAMPLE;

/**
 * What `npm run deploy` deploys. Every prop is described in lib/props.ts. Change `auth` first: these tokens are signed
 * with the key of the example, which does not exist.
 */
export const settings: TsudoiProps = {
  imageDirectory: fromRoot('.'),
  functionsDirectory: fromRoot('dist/functions'),
  auth: {
    jwksUrl: `${EXAMPLE}.well-known/jwks.json`,
    issuer: EXAMPLE,
    audience: 'tsudoi',
  },
};
