/** What mutation testing runs: the specs of the pure library alone, each property a few hundred times instead of ten thousand. */
process.env.BRAVO_PROPERTY_RUNS ??= '300';

const { default: base } = await import('./jest.config.mjs');

export default { ...base, roots: ['<rootDir>/libs/policy/src'] };
