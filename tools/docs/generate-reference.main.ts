/** Writes docs/reference. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { renderReference } from './render-reference.ts';

const directory = path.resolve(import.meta.dirname, '../../docs/reference');
mkdirSync(directory, { recursive: true });
for (const [name, text] of renderReference()) writeFileSync(path.join(directory, name), text);
