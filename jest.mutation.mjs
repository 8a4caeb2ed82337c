/** What mutation testing runs: the specs of the pure library alone, each property some twenty times instead of ten thousand. */
process.env.BRAVO_PROPERTY_RUNS ??= '20';

const { default: base } = await import('./jest.config.mjs');

export default { ...base, roots: ['<rootDir>/libs/policy/src'] };
