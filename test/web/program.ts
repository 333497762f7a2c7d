/** Starts the product in PROGRAM (as it is built) with the web client in WEB_CLIENT_DIR, in a process that a test can kill. */
import { pino } from 'pino';

const { PROGRAM = '', WEB_CLIENT_DIR: webClientDir = '' } = process.env;
// As JavaScript: compiling the sources would take most of the time of a start.
const { createApp } = (await import(`${PROGRAM}/dist/app/app.js`)) as typeof import('../../src/app/app.ts');
const { loadConfig } = (await import(`${PROGRAM}/dist/config.js`)) as typeof import('../../src/config.ts');
const app = createApp(loadConfig(process.env), pino({ level: 'silent' }), { webClientDir });
const { url } = await app.start();
process.stdout.write(`Tsudoi is at ${url}\n`);
