/** How each suite is met at the edge; a suite without a row is met nowhere, with the reason. */
import { type EdgeSuite, type Expressions, nowhere } from './edge.ts';
import { commandLinesEdge, provenReadsEdge } from './lines-edge.ts';
import { labelsEdge } from './labels-edge.ts';
import { publicAddressesEdge } from './addresses-edge.ts';
import { limitsEdge } from './limits-edge.ts';
import { permissionListsEdge, permissionRulesEdge } from './rules-edge.ts';
import { settingsMergeEdge } from './settings-edge.ts';
import { trustMapEdge } from './trust-edge.ts';

const NOWHERE: Readonly<Record<string, string>> = {
  globs: 'the files of its cases are not brought about here yet',
  'search-patterns': 'the files of its cases are not brought about here yet',
};

const EDGE_SUITES = [
  commandLinesEdge,
  labelsEdge,
  limitsEdge,
  permissionListsEdge,
  permissionRulesEdge,
  provenReadsEdge,
  publicAddressesEdge,
  settingsMergeEdge,
  trustMapEdge,
] as readonly EdgeSuite[];

export const needsWorkspace = (suite: string, row: { readonly id: string }): boolean =>
  EDGE_SUITES.find(({ name }) => name === suite)?.needsWorkspace?.(row) ?? false;

export const expressCase = (suite: string, row: { readonly id: string }): Expressions =>
  EDGE_SUITES.find(({ name }) => name === suite)?.express(row) ??
  nowhere(NOWHERE[suite] ?? 'nobody has said how this suite is met at the edge');
