/** Change tokens of files as entity tags and back. What is no tag of a file matches nothing and is never taken for "whatever is there". */
import { Fault } from '@bravo/faults';

const ABSENT = 'absent';

export const fileTag = (changeToken: string): string => `"${changeToken}"`;

/** @returns the token a client saw, "absent" for "only where nothing is", '' where it sets no condition. */
export const expectedRevision = (ifMatch: string | undefined, ifNoneMatch: string | undefined): string => {
  if (ifMatch !== undefined && ifNoneMatch !== undefined)
    throw new Fault('invalid_argument', 'Send If-Match or If-None-Match, not both.', { meta: { field: 'If-Match' } });
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() === '*') return ABSENT;
    throw new Fault('invalid_argument', 'If-None-Match takes "*" here: only where nothing is.', {
      meta: { field: 'If-None-Match' },
    });
  }
  if (ifMatch === undefined) return '';
  const token = /^"([0-9a-f]{1,64})"$/.exec(ifMatch.trim())?.[1];
  if (token === undefined) {
    throw new Fault('version_conflict', 'If-Match holds no ETag of a file. Read the file again, then repeat it.');
  }
  return token;
};
