/** Says as JSON whether this machine can isolate programs; a process of its own, so that a spec can ask before it begins. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OciSandbox } from './oci-sandbox.ts';
import { settingsHere } from './settings-here.fixture.ts';

const directory = mkdtempSync(join(tmpdir(), 'bravo-sandbox-'));
const sandbox = new OciSandbox(settingsHere(directory));
process.stdout.write(JSON.stringify(await sandbox.describe()));
await sandbox.close();
rmSync(directory, { recursive: true });
