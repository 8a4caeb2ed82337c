/** A runner to be soaked: takes one program per line of standard input and answers with one line each, in whatever order they end. */
import { createInterface } from 'node:readline';
import { OciSandbox } from '../executions/oci/oci-sandbox.ts';
import { settingsHere } from '../executions/oci/settings-here.fixture.ts';
import { runIn } from '../executions/run-in.fixture.ts';
import type { SoakAnswer, SoakRequest } from './soak-programs.fixture.ts';

const directory = process.argv[2] ?? '';
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const sandbox = new OciSandbox(settingsHere(directory, { spare: 2, warm: { bash: 1, python: 1, node: 1 } }));
const { available, reason } = await sandbox.describe();
if (!available) throw new Error(reason);
say({ ready: true });

const answer = async ({ id, program, cancelAfterMs }: SoakRequest): Promise<SoakAnswer> => {
  const abort = new AbortController();
  if (cancelAfterMs !== undefined) setTimeout(() => abort.abort(), cancelAfterMs);
  try {
    const files = program.files.map(({ path, text }) => ({ path, content: Buffer.from(text), mode: 0o644 }));
    const { outcome, exitCode, stdout, files: out } = await runIn(sandbox, { ...program, files, signal: abort.signal });
    return { id, outcome, exitCode, stdout: stdout.slice(0, 200), files: out.length };
  } catch (error) {
    return { id, error: String(error) };
  }
};

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => void answer(JSON.parse(line) as SoakRequest).then(say));
lines.once('close', () => void sandbox.close().then(() => say({ starts: sandbox.starts })));
