import { limitsSuite } from '@bravo/tools/vectors/limits-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('limits.yaml', () => {
  it.each(loadVectors(limitsSuite.name, limitsSuite.rows).map((row) => [row.id, row] as const))('%s', (_id, row) => {
    const { expected, actual } = limitsSuite.replay(row);
    expect(actual).toEqual(expected);
  });
});
