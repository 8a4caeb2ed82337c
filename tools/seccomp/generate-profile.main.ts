/** Writes `deploy/seccomp/bravo-sandbox.json` from what is allowed. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { checkout } from '../stack/checkout.ts';
import { seccompProfile } from './seccomp-profile.ts';

const file = path.join(checkout, 'deploy', 'seccomp', 'bravo-sandbox.json');
writeFileSync(file, await format(JSON.stringify(seccompProfile()), { parser: 'json', printWidth: 120 }));
