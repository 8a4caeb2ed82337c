import { publicAddressesSuite } from '@bravo/tools/vectors/public-addresses-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('public-addresses.yaml', () => {
  it.each(loadVectors(publicAddressesSuite.name, publicAddressesSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = publicAddressesSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );
});
