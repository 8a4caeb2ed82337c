/** Keeps the list of files while it is looked at; it must never upload or take away what nobody chose, and what fails is said. */
import { useCallback, useState } from 'react';
import { problemText, toProblem } from '../api/problem.ts';
import { nameForUpload } from './describe-file.ts';
import { type ConversationFile, listFiles, removeFile, uploadFile } from './files.client.ts';

export interface FilesState {
  /** Null until they were read. */
  readonly files: readonly ConversationFile[] | null;
  readonly more: boolean;
  readonly problem: string;
  /** The file that is on its way; empty where none is. */
  readonly sending: string;
  readonly letsRead: boolean;
  readonly setLetsRead: (letsRead: boolean) => void;
  readonly reload: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
  readonly upload: (chosen: readonly File[]) => Promise<void>;
  readonly remove: (file: ConversationFile) => Promise<void>;
}

export function useFiles(workspace: string, conversation: string): FilesState {
  const [files, setFiles] = useState<readonly ConversationFile[] | null>(null);
  const [cursor, setCursor] = useState('');
  const [problem, setProblem] = useState('');
  const [sending, setSending] = useState('');
  const [letsRead, setLetsRead] = useState(false);

  const say = (error: unknown): void => setProblem(problemText(toProblem(error)));
  const read = useCallback(
    async (after: string, before: readonly ConversationFile[]) => {
      const page = await listFiles(workspace, conversation, after);
      setFiles([...before, ...page.files]);
      setCursor(page.nextCursor);
      return page;
    },
    [workspace, conversation],
  );
  const reload = async (): Promise<void> => {
    setProblem('');
    await read('', []).then((page) => setLetsRead(page.letsRead), say);
  };
  const upload = async (chosen: readonly File[]): Promise<void> => {
    setProblem('');
    try {
      for (const file of chosen) {
        const name = nameForUpload(file.name);
        if (name === undefined) {
          setProblem('A file has a name of characters that cannot be seen. Rename it first.');
          break;
        }
        setSending(name);
        const seen = files?.find(({ path }) => path === name)?.change_token;
        await uploadFile(workspace, conversation, name, { bytes: file, letsRead, seen });
      }
    } catch (error) {
      say(error);
    }
    setSending('');
    await read('', []).catch(say);
  };
  const remove = async (file: ConversationFile): Promise<void> => {
    setProblem('');
    await removeFile(workspace, conversation, file).catch(say);
    await read('', []).catch(say);
  };
  return {
    ...{ files, problem, sending, letsRead, setLetsRead, reload, upload, remove },
    more: cursor !== '',
    loadMore: async () => void (await read(cursor, files ?? []).catch(say)),
  };
}
