/** No variable that `./bravo` reads goes untold. */
import { describe, expect, it } from '@jest/globals';
import { APP_SETTINGS, type Setting } from '@bravo/config';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from './checkout.ts';
import { OPERATOR_SETTINGS } from './operator-settings.ts';

const sources = readdirSync(path.join(checkout, 'tools'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('node_modules'))
  .map((file) => readFileSync(path.join(checkout, 'tools', file), 'utf8'));
const read = new Set(sources.flatMap((text) => [...text.matchAll(/(?:environment|caller|env)\['(BRAVO_\w+)'\]/g)].map((match) => match[1] ?? '')));
const services = Object.values(APP_SETTINGS).flatMap((settings) => Object.values<Setting>(settings).map(({ variable }) => variable));

describe('the settings of ./bravo itself', () => {
  it('are found in its sources', () => expect(read.size).toBeGreaterThan(5));

  it.each([...read])('tell of %s', (variable) => {
    expect([...OPERATOR_SETTINGS.map((row) => row.variable), ...services]).toContain(variable);
  });

  it('have a port in README', () => expect(readFileSync(path.join(checkout, 'README.md'), 'utf8')).toContain('BRAVO_PORT'));
});
