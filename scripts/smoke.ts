/**
 * `npm run smoke -- URL`: whether an installation works, as a client sees it. A message is sent and arrives at a
 * websocket, and the badge counts it. The user is that of SMOKE_TOKEN, or of a token signed with AUTH_SECRET.
 */
import { parseArgs } from 'node:util';
import { runSmoke, smokeToken } from './smoke/run.ts';

const USAGE = `Usage: SMOKE_TOKEN=… npm run smoke -- URL [--patience SECONDS]
The token is that of any user. With AUTH_SECRET (and AUTH_ISSUER, AUTH_AUDIENCE) one is made.
`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { patience: { type: 'string', default: '20' } },
});
const [url = ''] = positionals;
const token = await smokeToken(process.env);
const seconds = Number(values.patience);
if (!/^https?:/.test(url) || !URL.canParse(url) || token === undefined || !(seconds > 0)) {
  process.stderr.write(USAGE);
  process.exitCode = 1;
} else {
  process.exitCode = await runSmoke({ url, token, patienceMs: seconds * 1_000 });
}
