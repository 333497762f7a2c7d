import { fileURLToPath } from 'node:url';
import type { TsudoiProps } from './lib/props.ts';

/** The name of the stack, and the region that it is deployed to. Without a region: the one of the AWS profile. */
export const stack = { name: 'Tsudoi' } as const;

const fromRoot = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

/**
 * What `npm run deploy` deploys. Every prop is described in lib/props.ts. Change `auth` first: these tokens are signed
 * with the key of the example, which does not exist.
 */
export const settings: TsudoiProps = {
  imageDirectory: fromRoot('.'),
  functionsDirectory: fromRoot('dist/functions'),
  auth: {
    jwksUrl: 'https://id.example.com/.well-known/jwks.json',
    issuer: 'https://id.example.com/',
    audience: 'tsudoi',
  },
};
