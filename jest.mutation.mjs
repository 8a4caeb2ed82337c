/** What mutation testing runs: the specs of the pure library alone. */
import base from './jest.config.mjs';

export default { ...base, roots: ['<rootDir>/libs/policy/src'] };
