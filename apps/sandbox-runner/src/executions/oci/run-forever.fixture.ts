/** A runner to be killed: starts one endless program in the given state directory under the given runtime, or interpreters that wait, and says so. */
import { OciSandbox } from './oci-sandbox.ts';
import { settingsHere } from './settings-here.fixture.ts';

const [directory = '', runtime = '', waiting] = process.argv.slice(2);
const warm = waiting === undefined ? {} : { python: 1, node: 1, bash: 1 };
const sandbox = new OciSandbox(settingsHere(directory, { runtime, warm, spare: waiting === undefined ? 0 : 1 }));
await sandbox.settled();
if (waiting !== undefined) {
  process.stdout.write('up\n');
  setInterval(() => undefined, 1_000);
} else {
  await sandbox.run(
    {
      language: 'bash',
      code: 'echo up; sleep 1000',
      files: [],
      env: {},
      limits: { timeoutSeconds: 300, memoryMb: 64, cpu: 1 },
    },
    { onStarted: () => undefined, onOutput: () => process.stdout.write('up\n'), signal: new AbortController().signal },
  );
}
