/** The chart's README: what it installs and how, and a row per value out of the comments of values.yaml. */
import type { ValueEntry } from './values-document.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');
const shown = (value: unknown): string => `\`${JSON.stringify(value)}\``;

export const renderReadme = (entries: readonly ValueEntry[], about: string): string => {
  const groups = new Map<string, ValueEntry[]>();
  for (const entry of entries) {
    const group = entry.path.includes('.') ? (entry.path.split('.')[0] ?? '') : '';
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  const tables = [...groups].map(([group, rows]) =>
    [
      group === '' ? '### The platform' : `### ${group}`,
      '',
      '| Value | Default | |',
      '| --- | --- | --- |',
      ...rows.map(
        ({ path, fallback, description }) => `| \`${path}\` | ${cell(shown(fallback))} | ${cell(description)} |`,
      ),
      '',
    ].join('\n'),
  );
  return `${about.trim()}\n\n## Values\n\nMade from the comments of [values.yaml](values.yaml) by \`node --conditions=source tools/chart/generate.main.ts\`.\n\n${tables.join('\n')}`;
};
