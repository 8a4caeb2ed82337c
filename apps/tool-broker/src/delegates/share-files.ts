/** A delegate's files are those of the conversation at the top of its tree (D16): every call about files and programs names that one. It changes nothing else of a call. */
import type { Sandbox } from '../sandbox/sandbox.ts';

/** @param rootOf the conversation whose files are meant; its own where it is nobody's delegate. It never changes. */
export const shareFiles = (sandbox: Sandbox, rootOf: (conversationId: string) => Promise<string>): Sandbox => {
  const at = async <W extends { readonly conversationId: string }>(who: W): Promise<W> => ({
    ...who,
    conversationId: await rootOf(who.conversationId),
  });
  return {
    ...sandbox,
    stat: async (who, ...rest) => sandbox.stat(await at(who), ...rest),
    read: async (who, ...rest) => sandbox.read(await at(who), ...rest),
    list: async (who, ...rest) => sandbox.list(await at(who), ...rest),
    search: async (who, ...rest) => sandbox.search(await at(who), ...rest),
    write: async (who, ...rest) => sandbox.write(await at(who), ...rest),
    runJob: async (who, ...rest) => sandbox.runJob(await at(who), ...rest),
    readJob: async (who, ...rest) => sandbox.readJob(await at(who), ...rest),
    cancelJob: async (who, ...rest) => sandbox.cancelJob(await at(who), ...rest),
    execute: async (who, ...rest) => sandbox.execute(await at(who), ...rest),
  };
};
