/** Runs the product with the web client in WEB_CLIENT_DIR, as a separate process that a test can kill. */
import { pino } from 'pino';
import { createApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config.ts';

const webClientDir = process.env.WEB_CLIENT_DIR ?? '';
const app = createApp(loadConfig(process.env), pino({ level: 'silent' }), { webClientDir });
const { url } = await app.start();
process.stdout.write(`Tsudoi is at ${url}\n`);
