/** Makes a directory with exactly the mode asked for, whatever the umask: the sandbox's own users must get through, or must not. */
import { chmod, mkdir } from 'node:fs/promises';

export const createDirectory = async (path: string, mode: number): Promise<void> => {
  await mkdir(path, { recursive: true });
  await chmod(path, mode);
};
