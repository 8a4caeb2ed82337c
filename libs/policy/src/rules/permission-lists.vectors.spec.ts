import { permissionListsSuite } from '@bravo/tools/vectors/permission-lists-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('permission-lists.yaml', () => {
  it.each(loadVectors(permissionListsSuite.name, permissionListsSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = permissionListsSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );
});
