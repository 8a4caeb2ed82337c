/** Which services may call which method of the broker; no row means no. */
import type { AccessTable } from '@bravo/chassis';
import type { BrokerServiceService } from '@bravo/proto/broker';

export const BROKER_ACCESS: AccessTable<typeof BrokerServiceService> = {
  snapshotConversation: ['orchestrator'],
  eraseConversation: ['orchestrator'],
  setConversationMode: ['orchestrator'],
  withdrawQuestions: ['orchestrator'],
  listTools: ['gateway'],
  listToolCalls: ['gateway'],
  listApprovals: ['gateway'],
  getPreview: ['gateway'],
  resolveApproval: ['gateway'],
  readSlot: ['gateway'],
  getTrustOffer: ['gateway'],
  vouchForFile: ['gateway'],
  explainCall: ['gateway'],
  listConversationFiles: ['gateway'],
  readConversationFile: ['gateway'],
  writeConversationFile: ['gateway'],
  removeConversationFile: ['gateway'],
  createGrant: ['gateway'],
  listGrants: ['gateway'],
  revokeGrant: ['gateway'],
  answerStepUp: ['gateway'],
  getRepositorySettings: ['gateway'],
  getRepositoryInstructions: ['orchestrator'],
  acceptRepositoryRules: ['gateway'],
  beginTurn: ['orchestrator'],
  endTurn: ['orchestrator'],
  listSchedules: ['gateway'],
  cancelSchedule: ['gateway'],
};
