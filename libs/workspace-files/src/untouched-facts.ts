/** What is at a path of a workspace nobody has written into, by the same rule for the name as where somebody has. */
import type { FileFacts } from './file-facts.ts';
import { parsePath } from './parse-path.ts';

/** The root is there and nothing else. Throws `invalid_argument` for what is no path of a workspace. */
export const untouchedFacts = (path: string): FileFacts => {
  const landing = parsePath(path).join('/');
  const root = landing === '';
  return { landing, revision: '', exists: root, size: 0, kind: root ? 'directory' : 'missing', caseFolding: false };
};
