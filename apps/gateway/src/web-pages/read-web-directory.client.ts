/** Reads the built page into memory once, so that no request ever touches the file system. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { toWebFile, type WebFile } from './web-page.ts';

/** @param directory empty: no page. @throws Error saying which directory is missing and what to do. */
export const readWebDirectory = (directory: string): Map<string, WebFile> => {
  const files = new Map<string, WebFile>();
  if (directory === '') return files;
  let entries;
  try {
    entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  } catch (cause) {
    throw new Error(
      `The web page's directory ${directory} (BRAVO_WEB_DIR) cannot be read. Build the page, or leave the variable empty to serve none.`,
      { cause },
    );
  }
  for (const entry of entries.filter((candidate) => candidate.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const name = `/${path.relative(directory, file).split(path.sep).join('/')}`;
    files.set(name, toWebFile(name, readFileSync(file)));
  }
  return files;
};
