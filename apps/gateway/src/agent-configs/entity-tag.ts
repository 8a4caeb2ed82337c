/** Versions as entity tags and back. A tag that is no version of ours matches nothing. */
import { Fault } from '@bravo/faults';

export const entityTagOf = (version: number): string => `"v${version}"`;

/** @returns the version the client saw, 0 when it does not care. */
export const versionOfIfMatch = (ifMatch: string | undefined): number => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return 0;
  const version = /^(?:W\/)?"v(\d{1,9})"$/.exec(ifMatch.trim())?.[1];
  if (version === undefined || Number(version) === 0) {
    throw new Fault(
      'version_conflict',
      'If-Match holds no ETag of this resource. Read it again, then repeat your change.',
    );
  }
  return Number(version);
};
