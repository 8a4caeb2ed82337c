/** Who may call what here; a method that is not in a table is refused by the chassis. */
import type { AccessTable } from '@bravo/chassis';
import type { SandboxServiceService, WorkspaceServiceService } from '@bravo/proto/sandbox';

export const SANDBOX_ACCESS: AccessTable<typeof SandboxServiceService> = {
  runExecution: ['broker', 'operator'],
  cancelExecution: ['broker', 'operator'],
  describeSandbox: ['broker', 'operator'],
  listPrograms: ['broker'],
  runJob: ['broker'],
  readJobOutput: ['broker'],
  openSession: ['broker'],
};

export const WORKSPACE_ACCESS: AccessTable<typeof WorkspaceServiceService> = {
  readFile: ['broker'],
  listFiles: ['broker'],
  writeFile: ['broker'],
  statFile: ['broker'],
  removeFile: ['broker'],
  readGit: ['broker'],
  searchFiles: ['broker'],
  eraseWorkspace: ['broker'],
};
