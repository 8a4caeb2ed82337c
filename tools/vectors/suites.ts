/** Every suite there is. Guarantees that a suite is replayed by one function, in its spec and in the command alike. */
import { commandLinesSuite } from './command-lines-suite.ts';
import { globsSuite } from './globs-suite.ts';
import { labelsSuite } from './labels-suite.ts';
import { limitsSuite } from './limits-suite.ts';
import { permissionListsSuite } from './permission-lists-suite.ts';
import { permissionRulesSuite } from './permission-rules-suite.ts';
import { provenReadsSuite } from './proven-reads-suite.ts';
import { publicAddressesSuite } from './public-addresses-suite.ts';
import { searchPatternsSuite } from './search-patterns-suite.ts';
import { settingsMergeSuite } from './settings-merge-suite.ts';
import type { Suite } from './suite.ts';
import { trustMapSuite } from './trust-map-suite.ts';

export const SUITES: readonly Suite[] = [
  commandLinesSuite,
  globsSuite,
  labelsSuite,
  limitsSuite,
  permissionListsSuite,
  permissionRulesSuite,
  provenReadsSuite,
  publicAddressesSuite,
  searchPatternsSuite,
  settingsMergeSuite,
  trustMapSuite,
];
