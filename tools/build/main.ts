/** Entry of `npm run build`: builds what changed and names it. */
import { checkout } from '../stack/checkout.ts';
import { runBuild } from './run-build.ts';

const force = process.argv.includes('--force');
const done = await runBuild(checkout, { force, say: (step) => process.stdout.write(`build ${step}\n`) });
process.stdout.write(done.length === 0 ? 'nothing to build\n' : `${done.length} steps built\n`);
