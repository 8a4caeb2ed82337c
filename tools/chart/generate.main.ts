/** Writes the chart's README and schema from values.yaml, and anew what the scenarios render. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chartDirectory, generatedFiles } from './chart-files.ts';
import { snapshots } from './snapshots.ts';

for (const [name, text] of Object.entries(generatedFiles())) {
  writeFileSync(path.join(chartDirectory, name), text);
  process.stdout.write(`${name}\n`);
}

// After the schema: Helm reads it.
const directory = path.join(chartDirectory, 'ci', 'snapshots');
mkdirSync(directory, { recursive: true });
for (const [name, text] of Object.entries(await snapshots())) {
  writeFileSync(path.join(directory, name), text);
  process.stdout.write(`ci/snapshots/${name}\n`);
}
