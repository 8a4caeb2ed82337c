/** Which service may call which method; what is not here is refused. */
import type { AccessTable } from '@bravo/chassis';
import type { OrchestratorServiceService } from '@bravo/proto/orchestrator';

export const ORCHESTRATOR_ACCESS: AccessTable<typeof OrchestratorServiceService> = {
  createConversation: ['gateway'],
  listConversations: ['gateway'],
  getConversation: ['gateway'],
  endConversation: ['gateway'],
  runTurn: ['gateway'],
  getTurn: ['gateway'],
  listMessages: ['gateway'],
  cancelTurn: ['gateway'],
  setMode: ['gateway'],
  attachAgent: ['gateway', 'operator'],
  getInstructions: ['gateway'],
  listContainerUsage: ['gateway'],
  describePods: ['operator'],
  openDelegates: ['broker'],
  listDelegates: ['gateway'],
};
