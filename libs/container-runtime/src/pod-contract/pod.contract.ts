/** The whole contract of agent pods, for any program that claims to keep it. Call it inside a spec whose harness has started one. */
import { describeChat } from './chat.contract.ts';
import { describeDoors, describeWebhook } from './http.contract.ts';
import type { PodHarness } from './pod-target.ts';
import { describeRecords } from './records.contract.ts';
import { describeProgram } from './program.contract.ts';

export const describePodContract = (harness: PodHarness): void => {
  describeDoors(harness);
  describeChat(harness);
  describeWebhook(harness);
  describeRecords(harness);
  describeProgram(harness);
};
