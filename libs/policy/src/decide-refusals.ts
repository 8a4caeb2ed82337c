/** Steps 1 to 7 of a decision: what refuses a call outright. Guarantees that an unreadable fact refuses at its own step; it must never ask or allow. */
import type { Denied, ReasonCode, Step } from './decision.ts';
import type { CredentialFact, Facts } from './facts.ts';
import { findGrant, scopeOfCall } from './grants.ts';
import { readLabel } from './label.ts';
import { judgeToolLists } from './judge-tool-lists.ts';
import { REFERRING_REACHES, type ToolManifest } from './manifest.ts';
import { isMode, isWithinMode, modeThatAdmits } from './permissions.ts';

export function deny(step: Step, code: ReasonCode, text: string): Denied {
  return { effect: 'deny', step, reasons: [{ code, text }] };
}

/** Step 1: the feature gate, then `enabled`. */
export function refuseByFeatureGate(facts: Facts): Denied | undefined {
  const step = 'feature_gate';
  if (facts.feature === 'off') return deny(step, 'feature_off', 'Bravo is not switched on for this workspace.');
  if (facts.feature !== 'on')
    return deny(step, 'feature_unreadable', 'Whether Bravo is on for this workspace could not be read.');
  if (facts.config === 'unknown') return deny(step, 'config_unreadable', 'The agent configuration could not be read.');
  if (facts.config.enabled !== true)
    return deny(step, 'bravo_disabled', 'An administrator has disabled Bravo in this workspace.');
  return undefined;
}

/** Step 2: the tool is known, offered to this principal, and every argument is one it declared. */
export function refuseByToolOffer(facts: Facts): Denied | undefined {
  const step = 'tool_offered';
  const { tool, principal } = facts;
  if (tool.kind !== 'known') return deny(step, 'tool_unknown', 'There is no tool of that name.');
  const { name } = tool.manifest;
  if (tool.offered !== true) return deny(step, 'tool_not_offered', `The tool ${name} is not offered here.`);
  if (!principal.conversationId) {
    return deny(step, 'conversation_unbound', 'This agent is bound to no conversation yet and may call no tool.');
  }
  // A foreign tool's unclassified argument is routing; a tool of ours that has one is broken.
  const stray = Object.keys(facts.arguments).find((argument) => !Object.hasOwn(tool.manifest.arguments, argument));
  if (stray !== undefined && tool.manifest.origin !== 'foreign') {
    return deny(step, 'argument_unclassified', `The tool ${name} was given an argument it does not take.`);
  }
  return undefined;
}

/** Step 3: `denied_tools`, then a non-empty `allowed_tools`, then `code_exec_enabled` for what runs code. */
export function refuseByToolLists(facts: Facts): Denied | undefined {
  const step = 'tool_lists';
  const { manifest, config } = known(facts);
  const reason = judgeToolLists(manifest, config);
  return reason === undefined ? undefined : { effect: 'deny', step, reasons: [reason] };
}

/** Step 4: the ceiling of the mode, which a grant raises for its own scope (D4). */
export function refuseByMode(facts: Facts): Denied | undefined {
  const step = 'mode_ceiling';
  const { manifest } = known(facts);
  const { mode } = facts;
  // Before any grant is looked at: a grant raises a mode, it does not stand in for one.
  if (!isMode(mode)) return deny(step, 'mode_unreadable', 'The mode of the conversation could not be read.');
  if (manifest.modes.includes(mode) && isWithinMode(mode, manifest.effect, manifest.permission)) return undefined;
  if (facts.grants !== 'unknown' && findGrant(facts.grants, manifest, facts) !== undefined) return undefined;

  const refusal = deny(step, 'mode_too_low', `The tool ${manifest.name} is out of reach in ${mode} mode.`);
  const requiredMode = modeThatAdmits(manifest.effect, manifest.permission);
  // Offered only where stepping up would help: the person holds the permission and the tool exists in that mode.
  const helps = requiredMode !== mode && manifest.modes.includes(requiredMode) && holdsPermission(facts, manifest);
  if (!helps) return refusal;
  const grantScope = scopeOfCall(manifest, facts);
  return { ...refusal, stepUp: { requiredMode, ...(grantScope === undefined ? {} : { grantScope }) } };
}

/** Step 5: the person's own permission, read now. */
export function refuseByOwnPermission(facts: Facts): Denied | undefined {
  const step = 'own_permission';
  const { manifest } = known(facts);
  if (facts.principal.permissions === 'unknown') {
    return deny(step, 'permissions_unreadable', 'Your permissions could not be read.');
  }
  if (holdsPermission(facts, manifest)) return undefined;
  return deny(
    step,
    'permission_missing',
    `The tool ${manifest.name} needs the permission ${manifest.permission}, which you do not hold.`,
  );
}

/** Step 6: `deny` rules, from whatever layer. */
export function refuseByDenyRules(facts: Facts): Denied | undefined {
  const step = 'deny_rules';
  if (facts.rules === 'unknown') return deny(step, 'rules_unreadable', 'The permission rules could not be read.');
  const hit = facts.rules.deny[0];
  if (hit === undefined) return refuseDeclaredCredential(facts, step);
  return { ...deny(step, 'deny_rule', `The ${hit.layer} rule "${hit.rule}" denies this call.`), rule: hit.rule };
}

/** What stands in a file, a command or a URL is read by others, so no mode, rule or answer lets an agent put a credential there. */
function refuseDeclaredCredential({ credentials }: Facts, step: Step): Denied | undefined {
  const found = credentials === 'unknown' ? [] : credentials.filter(({ at, declared }) => at === 'given' && declared);
  if (found.length === 0) return undefined;
  return deny(
    step,
    'credential_declared',
    `The call holds ${listCredentials(found)}. A credential is not written down by an agent: name where it is kept instead.`,
  );
}

const MOST_LISTED = 3;

/** Of a few what and where, of more how many. */
export function listCredentials(found: readonly CredentialFact[]): string {
  const listed = found.slice(0, MOST_LISTED).map(({ kind, place }) => `${kind} (${place})`);
  const more = found.length - listed.length;
  return `${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Step 7: where an effect lands must be said by trusted words in a trusted context. Private words are D5's: asked about, not refused. */
export function refuseByRoutingIntegrity(facts: Facts): Denied | undefined {
  const step = 'routing_integrity';
  const { manifest } = known(facts);
  if (facts.context === 'unknown')
    return deny(step, 'context_unreadable', 'What the agent was shown so far could not be read.');
  if (facts.context.integrity !== 'trusted' && isBeyondFallenContext(manifest, facts.arguments)) {
    return deny(
      step,
      'context_fallen',
      'The agent was shown untrusted text, so it may no longer name where this call lands. You can take the step yourself.',
    );
  }
  for (const name of routingArguments(manifest, facts.arguments)) {
    if (readLabel(facts.argumentLabels[name]).integrity !== 'trusted') {
      return deny(
        step,
        'routing_untrusted',
        `The argument "${name}" decides where the call lands and does not come from trusted words.`,
      );
    }
  }
  return refuseByPlace(facts) ?? refuseByPrivateContent(facts, manifest);
}

/** Where a passage stands is decided by the text around it, and where an answer may go by what it was about. */
function refuseByPlace({ paths, inputs }: Facts): Denied | undefined {
  const step = 'routing_integrity';
  const written = paths === 'unknown' ? [] : paths.filter(({ access }) => access === 'write');
  if (written.some(({ edits, trust }) => edits === true && trust !== 'trusted'))
    return deny(
      step,
      'edit_untrusted',
      'An edit needs a file that is vouched for: what stands in it decides where the change lands. To change this file, use spawn_processor and write_file with contents_ref.',
    );
  for (const { name, destination } of inputs === 'unknown' ? [] : inputs) {
    if (destination === undefined || written.length === 0 || written.every(({ path }) => path === destination))
      continue;
    return deny(
      step,
      'wrong_destination',
      destination === null
        ? `What is behind ${name} may be written nowhere: it is an answer that is about no file.`
        : `What is behind ${name} may be written only to the file that the call which made it was about.`,
    );
  }
  return undefined;
}

function refuseByPrivateContent(facts: Facts, manifest: ToolManifest): Denied | undefined {
  const name = Object.keys(facts.arguments).find((given) => {
    const argument = Object.hasOwn(manifest.arguments, given) ? manifest.arguments[given] : undefined;
    const mustBePublic = argument?.class === 'content' && argument.mustBePublic === true;
    return mustBePublic && readLabel(facts.argumentLabels[given]).confidentiality === 'private';
  });
  if (name === undefined) return undefined;
  return deny(
    'routing_integrity',
    'content_private',
    `The argument "${name}" may hold nothing private, and the agent has seen private content. Leave it out.`,
  );
}

/** Names of the given arguments that decide where the call lands. An argument without a class is routing. */
export function routingArguments(manifest: ToolManifest, given: Facts['arguments']): readonly string[] {
  return Object.keys(given).filter((name) => classOf(manifest, name) !== 'content');
}

export function classOf(manifest: ToolManifest, name: string): 'routing' | 'content' {
  const argument = Object.hasOwn(manifest.arguments, name) ? manifest.arguments[name] : undefined;
  return argument?.class === 'content' ? 'content' : 'routing';
}

/** What a fallen context may still do: nothing but a read without a target, a reference, a question or a delegate in it. */
function isBeyondFallenContext(manifest: ToolManifest, given: Facts['arguments']): boolean {
  return (
    manifest.effect !== 'read' ||
    manifest.external ||
    manifest.starts !== 'nothing' ||
    routingArguments(manifest, given).length > 0 ||
    Object.keys(given).some((name) => isReferring(manifest, name))
  );
}

function isReferring(manifest: ToolManifest, name: string): boolean {
  const reaches = Object.hasOwn(manifest.arguments, name) ? manifest.arguments[name]?.reaches : undefined;
  return reaches !== undefined && REFERRING_REACHES.includes(reaches);
}

function holdsPermission(facts: Facts, manifest: ToolManifest): boolean {
  const { permissions } = facts.principal;
  return permissions !== 'unknown' && permissions.includes(manifest.permission);
}

/** Tool and configuration as steps 1 and 2 left them. Throws where a step was skipped; `decide` turns that into a deny. */
function known(facts: Facts): { manifest: ToolManifest; config: Exclude<Facts['config'], 'unknown'> } {
  if (facts.tool.kind !== 'known' || facts.config === 'unknown') throw new Error('judged out of order');
  return { manifest: facts.tool.manifest, config: facts.config };
}
