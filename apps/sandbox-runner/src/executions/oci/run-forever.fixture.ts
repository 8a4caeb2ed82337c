/** A runner to be killed: starts one endless program in the given state directory and says so. */
import { OciSandbox } from './oci-sandbox.ts';
import { settingsHere } from './settings-here.fixture.ts';

const sandbox = new OciSandbox(settingsHere(process.argv[2] ?? ''));
await sandbox.describe();
const running = sandbox.run(
  {
    language: 'bash',
    code: 'echo up; sleep 1000',
    files: [],
    env: {},
    limits: { timeoutSeconds: 300, memoryMb: 64, cpu: 1 },
  },
  { onStarted: () => undefined, onOutput: () => process.stdout.write('up\n'), signal: new AbortController().signal },
);
await running;
