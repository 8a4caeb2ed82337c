/** What `import … from 'fast-check'` gives a test: fast-check itself, with the run's seed already set. */
import fc from './node_modules/fast-check/lib/fast-check.js';

fc.configureGlobal({ seed: Number(process.env.BRAVO_SEED) });

export * from './node_modules/fast-check/lib/fast-check.js';
export default fc;
