/** The executor of every first-party tool by name; a tool without one cannot be executed. */
import type { Execute } from './effect.ts';
import { executeScript } from './execute-script/execute-script.ts';
import { listFiles } from './list-files/list-files.ts';
import { readFile } from './read-file/read-file.ts';
import { writeFile } from './write-file/write-file.ts';

export const EXECUTORS: Readonly<Record<string, Execute>> = {
  read_file: readFile,
  list_files: listFiles,
  write_file: writeFile,
  execute_script: executeScript,
};
