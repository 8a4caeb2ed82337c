/** A program that an agent runs in the background over its own files: it swaps files and directories for links, back and forth, as fast as it can. */

/** What the program itself puts into files; nobody vouches for it. */
export const PLANTED = 'planted by the swapping program';

/**
 * @param places absolute directories outside the conversation's files, each with a `secret.txt`.
 * `a.txt` and `d` are what is swapped; every state is there for a moment only.
 */
export const swappingProgram = (places: readonly string[]): string =>
  `import os, itertools
places = ${JSON.stringify(places)}
def put(name, make):
    temporary = name + '.new'
    try:
        if os.path.isdir(temporary) and not os.path.islink(temporary):
            os.rmdir(temporary)
        elif os.path.lexists(temporary):
            os.unlink(temporary)
        make(temporary)
        if os.path.isdir(name) and not os.path.islink(name):
            os.rename(name, 'aside')
            os.rename(temporary, name)
            for left in os.listdir('aside'):
                os.unlink('aside/' + left)
            os.rmdir('aside')
        else:
            if os.path.isdir(temporary) and not os.path.islink(temporary):
                os.unlink(name)
            os.rename(temporary, name)
    except OSError:
        pass
def words(path):
    with open(path, 'w') as file:
        file.write('${PLANTED}\\n')
def folder(path):
    os.mkdir(path)
print('swapping', flush=True)
for place in itertools.cycle(places):
    put('a.txt', lambda path: os.symlink(place + '/secret.txt', path))
    put('d', lambda path: os.symlink(place, path))
    put('a.txt', words)
    put('d', folder)
    put('a.txt', lambda path: os.symlink('kept.txt', path))
`;
