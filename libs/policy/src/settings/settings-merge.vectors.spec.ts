import { settingsMergeSuite } from '@bravo/tools/vectors/settings-merge-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('settings-merge.yaml', () => {
  it.each(loadVectors(settingsMergeSuite.name, settingsMergeSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = settingsMergeSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );
});
