import { loadVectors } from '@bravo/testing/load-vectors';
import { trustMapSuite } from '@bravo/tools/vectors/trust-map-suite';
import { lookUpTrust, markAfterWrite, markBeforeWrite } from './index.ts';

describe('trust-map.yaml', () => {
  it.each(loadVectors(trustMapSuite.name, trustMapSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = trustMapSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );

  it('reads a path from the root of the workspace with and without its leading slash', () => {
    const map = markAfterWrite([], 'notes/a.txt', 'trusted', 'complete');
    expect(['notes/a.txt', '/notes/a.txt', 'notes', 'a.txt'].map((path) => lookUpTrust(map, path))).toEqual([
      'trusted',
      'trusted',
      'unmentioned',
      'unmentioned',
    ]);
    expect(lookUpTrust(markBeforeWrite(map, '/notes/a.txt'), 'notes/a.txt')).toBe('untrusted');
  });

  it('keeps one rule for one path, however often it is written', () => {
    const once = markAfterWrite([{ path: '/a', trust: true }], '/b', 'trusted', 'complete');
    const again = markAfterWrite(markBeforeWrite(once, '/b'), '/b', 'untrusted', 'complete');
    expect(again).toEqual([
      { path: '/a', trust: true },
      { path: '/b', trust: false },
    ]);
  });

  it('folds case and nothing else: one letter is never two', () => {
    const map = [{ path: '/Straße/A.txt', trust: true }];
    const folded = (path: string) => lookUpTrust(map, path, true);
    expect([folded('/straße/a.TXT'), folded('/strasse/a.txt')]).toEqual(['trusted', 'unmentioned']);
  });

  it('answers nothing for an empty path or one that is not resolved', () => {
    const map = [{ path: '/', trust: true }];
    expect(['', '/w/../etc', './a', '..'].map((path) => lookUpTrust(map, path))).toEqual(Array(4).fill('unmentioned'));
  });

  it('ignores a rule that names nothing or is not resolved', () => {
    const map = ['', '.', 'w/..', '..'].map((path) => ({ path, trust: true }));
    expect(lookUpTrust(map, '/w/a')).toBe('unmentioned');
  });
});
