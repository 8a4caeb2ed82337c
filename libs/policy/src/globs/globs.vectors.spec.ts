import { globsSuite } from '@bravo/tools/vectors/globs-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('globs.yaml', () => {
  it.each(loadVectors(globsSuite.name, globsSuite.rows).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const { expected, actual } = globsSuite.replay(row);
    expect(actual).toEqual(expected);
  });
});
