/** What mutation testing runs: specs of the pure library alone, each property some twenty times instead of ten thousand. */
process.env.BRAVO_PROPERTY_RUNS ??= '20';

const { default: base } = await import('./jest.config.mjs');
/** Which specs, as names seen from libs/policy/src, comma-separated: fewer are quicker and kill no more (tools/checks/mutation.ts). */
const specs = (process.env.BRAVO_MUTATION_SPECS ?? '**/*').split(',');

export default {
  ...base,
  roots: ['<rootDir>/libs/policy/src'],
  testMatch: specs.map((name) => `<rootDir>/libs/policy/src/${name}.spec.ts`),
  // What claims a time says nothing of a mutant and much of the machine.
  testPathIgnorePatterns: ['rule-cost'],
  // Through node_modules a vectors' suite would reach the checkout's own library, which nobody changed, and kill nothing.
  moduleNameMapper: {
    ...base.moduleNameMapper,
    '^@bravo/policy$': '<rootDir>/libs/policy/src/index.ts',
    '^@bravo/policy/(.*)$': '<rootDir>/libs/policy/src/$1.ts',
    '^@bravo/testing/(.*)$': '<rootDir>/libs/testing/src/$1.ts',
    '^@bravo/tools/(.*)$': '<rootDir>/tools/$1.ts',
  },
};
