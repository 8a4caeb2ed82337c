import { provenReadsSuite } from '@bravo/tools/vectors/proven-reads-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('proven-reads.yaml', () => {
  it.each(loadVectors(provenReadsSuite.name, provenReadsSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = provenReadsSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );
});
