import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { z } from 'zod';
import { ConfigError, flag, identitySettings, loadConfig, setting } from './index.ts';

const settings = {
  port: setting('X_PORT', z.coerce.number().int().min(1).max(65_535), 'Port of the server.'),
  key: setting('X_KEY', z.string().min(8), 'Key of the store.', { secret: true }),
  loud: setting('X_LOUD', flag.default(false), 'Whether it is loud.'),
};

describe('loadConfig', () => {
  it('reads values and defaults', () => {
    expect(loadConfig('x', settings, { X_PORT: '80', X_KEY: 'long enough', X_LOUD: 'yes' })).toEqual({
      port: 80,
      key: 'long enough',
      loud: true,
    });
    expect(loadConfig('x', settings, { X_PORT: '80', X_KEY: 'long enough' }).loud).toBe(false);
  });

  it('names every mistake at once, says what each variable is for, and shows no secret', () => {
    let error: unknown;
    try {
      loadConfig('x', settings, { X_PORT: 'eighty', X_KEY: 'short', X_LOUD: 'maybe' });
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ConfigError);
    const { mistakes, message } = error as ConfigError;
    expect(mistakes).toHaveLength(3);
    expect(message).toMatch(/X_PORT is not usable \(it is "eighty"\).*Port of the server\./);
    expect(message).not.toContain('"short"');
  });

  it('counts an empty variable as absent, so that it never means something by accident', () => {
    expect(() => loadConfig('x', settings, { X_PORT: '', X_KEY: 'long enough' })).toThrow(
      /X_PORT is not set\. Port of the server\./,
    );
    expect(loadConfig('x', settings, { X_PORT: '1', X_KEY: 'long enough', X_LOUD: '' }).loud).toBe(false);
  });

  it('freezes what it gives', () => {
    expect(Object.isFrozen(loadConfig('x', settings, { X_PORT: '80', X_KEY: 'long enough' }))).toBe(true);
  });

  it('has a sentence for every setting of a real app', () => {
    for (const { variable, description } of Object.values(identitySettings)) {
      expect(variable).toMatch(/^BRAVO_[A-Z_]+$/);
      expect(description).toMatch(/\.$/);
    }
  });

  it.each([
    ['loud', 78, /^audit cannot start, its configuration has \d+ mistake\(s\):\n- [^]*BRAVO_LOG_LEVEL is not usable \(it is "loud"\)/],
    ['', 78, /BRAVO_SERVICE_KEY_FILE is not set/],
  ])('ends a process of a wrong configuration with its sentences and a code of its own (%j)', (level, code, sentences) => {
    const program = `import { auditSettings, configureProcess } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      configureProcess('audit', auditSettings); process.stdout.write('went on');`;
    const { status, stderr, stdout } = spawnSync(process.execPath, ['--conditions=source', '--input-type=module', '--eval', program], {
      encoding: 'utf8',
      env: { BRAVO_LOG_LEVEL: level },
    });
    expect(stderr).toMatch(sentences);
    expect({ status, stdout }).toEqual({ status: code, stdout: '' });
  });
});
