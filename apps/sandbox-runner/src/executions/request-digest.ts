/** One digest over everything an execution was asked to do: the same id with another digest is another request, and refused. */
import { createHash } from 'node:crypto';
import type { ExecutionRequest } from './execution.ts';

export const requestDigest = ({ conversationId, program }: ExecutionRequest): string => {
  const hash = createHash('sha256');
  // Lengths before contents, so that no two requests spell the same bytes.
  const add = (value: string | Uint8Array): void => {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
    hash.update(`${bytes.length}:`).update(bytes);
  };
  const byName = (a: string, b: string): number => (a < b ? -1 : 1);
  add('execution/1');
  add(conversationId);
  add(program.language);
  add(program.code);
  add(JSON.stringify([program.limits.timeoutSeconds, program.limits.memoryMb, program.limits.cpu]));
  const files = [...program.files].sort((a, b) => byName(a.path, b.path));
  add(String(files.length));
  for (const file of files) {
    add(file.path);
    add(String(file.mode));
    add(file.content);
  }
  for (const name of Object.keys(program.env).sort(byName)) {
    add(name);
    add(program.env[name] ?? '');
  }
  return hash.digest('hex');
};
