/** On a fresh checkout nothing is generated yet, and the first `up` is what generates it: so it may not import it to begin with. */
import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkout } from '../stack/checkout.ts';

const libraryFile = (specifier: string): string | undefined => {
  const [, name, inner = 'index'] = /^@bravo\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  return name === 'tools'
    ? path.join(checkout, 'tools', `${inner}.ts`)
    : path.join(checkout, 'libs', name, 'src', `${inner}.ts`);
};

/** What is loaded with a file at once; neither types nor what is imported when it is asked for. */
const loadedWith = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found;
  found.add(file);
  if (!existsSync(file)) return found;
  for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)';/gms,
  )) {
    const next = specifier.startsWith('.') ? path.resolve(path.dirname(file), specifier) : libraryFile(specifier);
    if (next !== undefined) loadedWith(next, found);
  }
  return found;
};

const commands = readdirSync(path.join(checkout, 'tools', 'cli', 'commands')).map((name) => `cli/commands/${name}`);

describe('what runs before the build', () => {
  it.each(['cli/main.ts', ...commands, 'stack/supervisor.main.ts', 'build/main.ts'])(
    '%s loads nothing that the build generates',
    (entry) => {
      const loaded = [...loadedWith(path.join(checkout, 'tools', entry))];
      expect(loaded.length).toBeGreaterThan(1);
      expect(loaded.filter((file) => file.includes('/libs/proto/') || file.includes('/generated/'))).toEqual([]);
    },
  );

  it('is looked through far enough to see what speaks gRPC', () => {
    const loaded = [...loadedWith(path.join(checkout, 'libs', 'chassis', 'src', 'grpc-client.ts'))];
    expect(loaded.some((file) => file.includes('/libs/proto/src/'))).toBe(true);
  });
});
