/** What a file is said to be, and what an answer of another shape is taken for. */
import { describe, expect, it } from '@jest/globals';
import { describeFile, nameForUpload } from './describe-file.ts';
import { readFilesPage } from './files.client.ts';

const only = (file: object) => readFilesPage({ files: [{ path: 'a', quarantined: false, ...file }] }).files[0]!;

describe('a file in the list', () => {
  it.each([
    [{ trust: 'trusted' }, 'may be read'],
    [{ trust: 'untrusted' }, 'kept from @bravo'],
    [{ trust: 'unmentioned' }, 'kept from @bravo'],
    [{ trust: 'Trusted' }, 'kept from @bravo'],
    [{ trust: 'trusted', quarantined: true }, 'never as text'],
    [{ trust: 'trusted', quarantined: undefined }, 'never as text'],
  ])('%j is told as "%s"', (file, word) => {
    expect(describeFile(only(file))?.word).toBe(word);
  });

  it('is nothing where the answer has another shape', () => {
    for (const answer of [undefined, null, [], 'x', {}, { files: 'x' }, { files: [null, {}, { path: 1 }] }])
      expect(readFilesPage(answer)).toEqual({ files: [], nextCursor: '', letsRead: false });
    expect(describeFile(only({ kind: 'directory' }))).toBeUndefined();
  });
});

describe('a name for an upload', () => {
  it.each([
    ['notes.txt', 'notes.txt'],
    ['a\u202eb.txt', 'ab.txt'],
    ['../../x', '....x'],
    ['..', undefined],
    [' \u200b ', undefined],
  ])('%j becomes %j', (name, wanted) => {
    expect(nameForUpload(name)).toBe(wanted);
  });
});
