import { searchPatternsSuite } from '@bravo/tools/vectors/search-patterns-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('search-patterns.yaml', () => {
  it.each(loadVectors(searchPatternsSuite.name, searchPatternsSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = searchPatternsSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );
});
