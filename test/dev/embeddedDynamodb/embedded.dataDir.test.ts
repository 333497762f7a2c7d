import { spawnSync } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StartError } from '../../../src/core/errors.ts';
import {
  type DataDirOptions,
  lockDataDir,
  runningDatabase,
} from '../../../src/dev/embeddedDynamodb/dataDir.ts';
import { startEmbedded } from '../../../src/dev/embeddedDynamodb/embedded.ts';
import { temporaryDirectory } from '../../support/machine/directory.ts';
import { startProgram, untilEnded } from '../../support/machine/processes.ts';
import { TEST_TIMEOUT_MS } from '../../support/run/budget.ts';

const log = pino({ level: 'silent' });

async function hold(options: DataDirOptions) {
  const held = await lockDataDir(options);
  onTestFinished(() => held.release());
  return held;
}

describe.each(['linux', 'elsewhere'])('lockDataDir (%s)', (platform) => {
  it('lockDataDir: refuses a second holder, also by a symbolic link, and names the first one', async () => {
    const path = await temporaryDirectory();
    const alias = join(await temporaryDirectory(), 'alias');
    await symlink(path, alias);
    await hold({ path, platform });
    const second = lockDataDir({ path: alias, platform, waitMs: 60 });
    await expect(second).rejects.toThrow(StartError);
    await expect(second).rejects.toThrow(
      `DATA_DIR ${path} is in use: another Tsudoi process (${process.pid}) has it open.`,
    );
  });

  it('lockDataDir: a waiting holder gets the directory when the first one releases it', async () => {
    const path = await temporaryDirectory();
    const first = await lockDataDir({ path, platform });
    let second: unknown;
    const waiting = hold({ path, platform }).then((held) => {
      second = held;
    });
    await expect(lockDataDir({ path, platform, waitMs: 60 })).rejects.toThrow('in use');
    expect(second).toBeUndefined();
    await first.release();
    await waiting;
  });

  it('lockDataDir: the directory is free at once if its holder was killed', async () => {
    const path = await temporaryDirectory();
    const program = `
      import { lockDataDir } from '${new URL('../../../src/dev/embeddedDynamodb/dataDir.ts', import.meta.url)}';
      await lockDataDir(${JSON.stringify({ path, platform })});
      process.kill(process.pid, 'SIGKILL');`;
    const killed = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program]);
    expect(killed.signal).toBe('SIGKILL');
    await hold({ path, platform });
  });

  it('lockDataDir: waits until the database of a previous holder has ended', async () => {
    const path = await temporaryDirectory();
    const first = await lockDataDir({ path, platform });
    // The note of a holder that was killed. It names a running process: this one.
    await first.recordDatabase(process.pid);
    const note = join(path, 'dynamodb.pid');
    const noted = await readFile(note);
    await first.release();
    await writeFile(note, noted);
    await expect(lockDataDir({ path, platform, waitMs: 60 })).rejects.toThrow(
      `its database process ${process.pid} is still running`,
    );
    // The same pid with another start time is another process.
    await writeFile(note, `${process.pid} 1\n`);
    await hold({ path, platform, waitMs: 60 });
  });
});

describe('runningDatabase', () => {
  it('runningDatabase: returns an endpoint that answers while a server has the directory open', async () => {
    const dataDir = await temporaryDirectory();
    expect(await runningDatabase({ path: dataDir })).toBeUndefined();
    const embedded = await startEmbedded({ dataDir, log });
    onTestFinished(() => embedded.stop());
    const found = await runningDatabase({ path: dataDir });
    expect(found).toBe(embedded.endpoint);
    expect((await fetch(String(found))).status).toBeLessThan(500);
    await embedded.stop();
    expect(await runningDatabase({ path: dataDir })).toBeUndefined();
    expect(await runningDatabase({ path: join(dataDir, 'nothing') })).toBeUndefined();
  });

  it.each(['linux', 'elsewhere'])('runningDatabase: waits while a server starts (%s)', async (platform) => {
    const path = await temporaryDirectory();
    const held = await hold({ path, platform });
    let found: string | undefined;
    const waiting = runningDatabase({ path, platform }).then((endpoint) => {
      found = endpoint;
    });
    await expect(runningDatabase({ path, platform, waitMs: 60 })).rejects.toThrow(
      `The Tsudoi process (${process.pid}) that has DATA_DIR ${path} open is not ready yet.`,
    );
    expect(found).toBeUndefined();
    await held.recordDatabase(process.pid, 'http://127.0.0.1:1');
    await waiting;
    expect(found).toBe('http://127.0.0.1:1');
  });

  it('runningDatabase: undefined if the database was killed with its server', async () => {
    const dataDir = await temporaryDirectory();
    const server = await startProgram('embeddedHost', [dataDir]);
    const { pid, endpoint } = await server.next();
    expect(await runningDatabase({ path: dataDir })).toBe(endpoint);
    process.kill(server.pid, 'SIGKILL');
    await untilEnded(pid as number);
    expect(await runningDatabase({ path: dataDir })).toBeUndefined();
  });
});

describe('lockDataDir', () => {
  it('lockDataDir: one line says why a directory cannot be used', async () => {
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    const refused = lockDataDir({ path: join(file, 'data') });
    await expect(refused).rejects.toThrow(StartError);
    await expect(refused).rejects.toThrow(
      /^[^\n]*cannot be used: [^\n]* is not a directory \(ENOTDIR\)[^\n]*$/,
    );
  });
});

describe('startEmbedded on a directory in use', () => {
  it('startEmbedded: refuses while another server runs, and starts at once when that one is killed', async () => {
    const dataDir = await temporaryDirectory();
    const first = await startProgram('embeddedHost', [dataDir]);
    onTestFinished(() => void first.child.kill('SIGKILL'));
    const { pid } = await first.next();
    await expect(startEmbedded({ dataDir, log, waitMs: 60 })).rejects.toThrow(
      `another Tsudoi process (${first.pid}) has it open`,
    );

    const second = startEmbedded({ dataDir, log, waitMs: TEST_TIMEOUT_MS });
    process.kill(first.pid, 'SIGKILL');
    await untilEnded(pid as number);
    const { stop } = await second;
    await stop();
  });

  it('startEmbedded: waits until another server has stopped', async () => {
    const dataDir = await temporaryDirectory();
    const first = await startProgram('embeddedHost', [dataDir]);
    await first.next();
    const second = startEmbedded({ dataDir, log, waitMs: TEST_TIMEOUT_MS });
    process.kill(first.pid, 'SIGTERM');
    const embedded = await second;
    await embedded.stop();
    await untilEnded(first.pid);
  });
});
