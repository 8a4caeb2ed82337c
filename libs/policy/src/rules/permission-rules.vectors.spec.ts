import { permissionRulesSuite } from '@bravo/tools/vectors/permission-rules-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('permission-rules.yaml', () => {
  it.each(loadVectors(permissionRulesSuite.name, permissionRulesSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = permissionRulesSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );
});
