/** The rule that would let exactly this line through from now on (D8). Guarantees that the rule names one program with these very words and nothing wider; where no rule could say that, none is offered. */
import { type Asked, compileRules, ON_SERVER } from '@bravo/policy';
import { LINE_ARGUMENT, shownPlan } from '../lines/plan-of-call.ts';

/** Between two words of a rule stands one space, a star is a pattern, and a bracket ends it: a word with one of them is none that a rule could name. */
const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Empty: none is offered. */
export const offerRule = ({ boundTo, rememberable }: Asked): string => {
  const { arguments: given, targets } = boundTo.call;
  const plan = rememberable === true ? shownPlan(targets) : undefined;
  // Another directory has other files under the same names, and more than one step would let each of them through alone.
  const [step, ...others] = plan?.steps ?? [];
  if (step === undefined || others.length > 0 || given['directory'] !== undefined || given['stdin_ref'] !== undefined)
    return '';
  if (Object.keys(step.env).length > 0 || step.redirects.length > 0) return '';
  const words = typeof given[LINE_ARGUMENT] === 'string' ? step.argv : [];
  if (words.length === 0 || !words.every((word) => PLAIN_WORD.test(word))) return '';
  const rule = `Bash(${words.join(' ')})`;
  const { judge } = compileRules([{ layer: 'user', allow: [rule] }], ON_SERVER);
  const { allow } = judge({ family: 'Bash', steps: [{ argv: words }] });
  return allow.length === 1 && allow[0]?.exact === true ? rule : '';
};
