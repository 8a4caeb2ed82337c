/** What mutation testing runs: the specs of the pure library alone, each property some twenty times instead of ten thousand. */
process.env.BRAVO_PROPERTY_RUNS ??= '20';

const { default: base } = await import('./jest.config.mjs');
/** Fewer specs are quicker and kill no more: BRAVO_MUTATION_SPECS=decide runs those whose name begins so. */
const specs = process.env.BRAVO_MUTATION_SPECS ?? '';

export default { ...base, roots: ['<rootDir>/libs/policy/src'], testMatch: [`**/${specs}*.spec.ts`] };
