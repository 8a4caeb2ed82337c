/** ExplainCall on the wire, for the person who would make the call; arguments that the tool's schema refuses are refused here too, with the place. */
import type { Handlers } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import type { Reason } from '@bravo/policy';
import type { BrokerServiceService } from '@bravo/proto/broker';
import { personOf } from '../access/person.ts';
import { JsonRefused, parseStrictJson } from '../json/parse-strict-json.ts';
import type { ToolArguments } from '../manifests/tool-definition.ts';
import type { ValidateArguments } from '../mcp/argument-validator.mcp.ts';
import type { ExplainCall } from './explain-call.ts';

export const explainCallHandler = (
  explainCall: ExplainCall,
  validateArguments: ValidateArguments,
): Pick<Handlers<typeof BrokerServiceService>, 'explainCall'> => ({
  explainCall: async ({ conversationId, tool, inputJson }, { principal }) => {
    const given = readInput(inputJson);
    const problems = await validateArguments(tool, given);
    if (problems.length > 0) throw misfit(`${tool} does not take these arguments: ${problems.join(' ')}`);
    const call = { conversationId, tool, arguments: given };
    const {
      decision,
      layer,
      steps,
      advice,
      policyVersion,
      problems: unread,
      plan,
    } = await explainCall(personOf(principal), call);
    const isSaid = unread.length > 0 && decision.reasons.some(isUnreadable);
    const toAsk = (reason: Reason) => ({
      code: reason.code,
      text: isSaid && isUnreadable(reason) ? unread.join(' ') : reason.text,
    });
    return {
      effect: decision.effect,
      step: decision.step,
      reasons: decision.reasons.map(toAsk),
      rule: decision.rule ?? '',
      layer: layer ?? '',
      steps: steps.map(({ step, outcome, reasons }) => ({ step, outcome, reasons: reasons.map(toAsk) })),
      advice: isSaid ? [...advice] : [...unread, ...advice],
      policyVersion,
      planJson: plan === undefined ? '' : JSON.stringify(plan),
    };
  },
});

/** Instead of it the call itself would be told what could not be read. */
const isUnreadable = ({ code }: Reason): boolean => code.endsWith('_unreadable');

const misfit = (text: string): Fault => new Fault('invalid_argument', text, { meta: { field: 'input' } });

/** @throws Fault invalid_argument */
const readInput = (text: string): ToolArguments => {
  try {
    const value = parseStrictJson(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as ToolArguments;
  } catch (error) {
    if (error instanceof JsonRefused) throw misfit(`The arguments cannot be read: ${error.message}`);
    throw error;
  }
  throw misfit('The arguments must be a JSON object.');
};
