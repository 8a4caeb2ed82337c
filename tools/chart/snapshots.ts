/** What each scenario of ci/ renders: the default one whole, the others as what differs from it, so that a change is read and not skimmed. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { chartDirectory } from './chart-files.ts';
import { nameOf, renderChart, type Manifest } from './render-chart.ts';

const DEFAULT = 'default';

export const scenarios = (): string[] =>
  readdirSync(path.join(chartDirectory, 'ci'))
    .flatMap((file) => /^(.+)-values\.yaml$/.exec(file)?.[1] ?? [])
    .sort();

export const renderScenario = (name: string): Promise<Manifest[]> =>
  renderChart(['-f', path.join(chartDirectory, 'ci', `${name}-values.yaml`)]);

const text = (manifests: readonly Manifest[]): string =>
  [...manifests]
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
    .map((manifest) => stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false }))
    .join('---\n');

/** File name below ci/snapshots → text. */
export const snapshots = async (): Promise<Readonly<Record<string, string>>> => {
  const base = await renderScenario(DEFAULT);
  const known = new Map(base.map((manifest) => [nameOf(manifest), JSON.stringify(manifest)]));
  const made: Record<string, string> = { [`${DEFAULT}.yaml`]: text(base) };
  for (const name of scenarios().filter((each) => each !== DEFAULT)) {
    const rendered = await renderScenario(name);
    const there = new Set(rendered.map(nameOf));
    const gone = [...known.keys()].filter((each) => !there.has(each)).sort();
    const differing = rendered.filter((manifest) => known.get(nameOf(manifest)) !== JSON.stringify(manifest));
    made[`${name}.yaml`] = `# Not rendered: ${gone.join(', ') || 'nothing is missing'}\n${text(differing)}`;
  }
  return made;
};
