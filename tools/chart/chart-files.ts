/** What is generated of the chart, as text by file; a test holds the files to it. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';
import { renderReadme } from './render-readme.ts';
import { readValues } from './values-document.ts';

export const chartDirectory = path.join(checkout, 'deploy', 'helm', 'bravo');

export const generatedFiles = (): Readonly<Record<string, string>> => {
  const { entries, schema } = readValues(readFileSync(path.join(chartDirectory, 'values.yaml'), 'utf8'));
  const about = readFileSync(path.join(import.meta.dirname, 'about-chart.md.part'), 'utf8');
  return {
    'README.md': renderReadme(entries, about),
    'values.schema.json': `${JSON.stringify(schema, null, 2)}\n`,
  };
};
