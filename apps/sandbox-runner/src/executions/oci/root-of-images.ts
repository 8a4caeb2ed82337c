/** Roots of the languages that an image was built for: each bound read-only, without devices and set-uid, where the program's user may pass. */
import { readFile, realpath } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { LANGUAGES, type Language } from '../sandbox-backend.port.ts';
import { createDirectory } from './create-directory.ts';
import type { LanguageRoot } from './language-roots.ts';
import { bindReadOnly } from './mounts.ts';

const SERVERS = 'servers';

export interface RootsOfImages {
  readonly languages: ReadonlyMap<Language, LanguageRoot>;
  readonly languageServers: LanguageRoot | undefined;
}

interface ImagesFile {
  readonly version: 1;
  readonly images: Readonly<
    Partial<Record<Language | typeof SERVERS, { readonly tree: string; readonly interpreter: string }>>
  >;
}

/** @param images directory with `images.json`, as `./bravo images build` leaves it; '' for none. Throws when it is named and is none. */
export const rootsOfImages = async (images: string, directory: string): Promise<RootsOfImages> => {
  if (images === '') return { languages: new Map(), languageServers: undefined };
  let file: ImagesFile;
  try {
    file = JSON.parse(await readFile(join(images, 'images.json'), 'utf8')) as ImagesFile;
    if (file.version !== 1) throw new Error('it is of another version');
  } catch (error) {
    throw new Error(
      `The sandbox images in ${images} cannot be used (${(error as Error).message}). Run "./bravo images build", or unset BRAVO_SANDBOX_IMAGES.`,
      { cause: error },
    );
  }
  // Each by itself: what is made on the way to a directory has the mode of the umask, and the platform's lets nobody through.
  await createDirectory(join(directory, 'images'), 0o755);
  const open = async (name: Language | typeof SERVERS): Promise<LanguageRoot | undefined> => {
    const image = file.images[name];
    if (image === undefined || !isAbsolute(image.interpreter)) return undefined;
    const root = join(directory, 'images', name);
    await createDirectory(root, 0o755);
    await bindReadOnly(await realpath(join(images, image.tree)), root);
    return { root, binds: [], interpreter: image.interpreter };
  };
  const languages = new Map<Language, LanguageRoot>();
  for (const language of LANGUAGES) {
    const root = await open(language);
    if (root !== undefined) languages.set(language, root);
  }
  return { languages, languageServers: await open(SERVERS) };
};
