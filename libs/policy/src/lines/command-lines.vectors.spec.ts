import { commandLinesSuite } from '@bravo/tools/vectors/command-lines-suite';
import { loadVectors } from '@bravo/testing/load-vectors';

describe('command-lines.yaml', () => {
  it.each(loadVectors(commandLinesSuite.name, commandLinesSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    (_id, row) => {
      const { expected, actual } = commandLinesSuite.replay(row);
      expect(actual).toEqual(expected);
    },
  );
});
