/** What an event is in the feed: one sentence of our own words, names of tools and numbers; nothing that was said, written or found. */
import type { Happening } from '../happenings/happening.ts';

export interface ActivityText {
  readonly text: string;
  /** For every member, not only for whose it is. */
  readonly everybody: boolean;
}

const word = (value: unknown): string =>
  typeof value === 'string' ? value.replace(/[^\p{L}\p{N}_.:/ -]/gu, '').slice(0, 80) : '';

const LANGUAGES: Readonly<Record<string, string>> = {
  python: 'Python',
  node: 'JavaScript',
  javascript: 'JavaScript',
  bash: 'shell',
};

type Tell = (data: Happening['data'], place: string) => string | undefined;

/** Events without a row are no activity. */
const OWN: Readonly<Record<string, Tell>> = {
  'agent.conversation.created': (_data, place) => `A conversation with @bravo began${place}`,
  'agent.conversation.ended': (_data, place) => `A conversation with @bravo ended${place}`,
  'agent.code.executed': ({ language, outcome }, place) =>
    `@bravo ran a ${LANGUAGES[word(language)] ?? ''}${LANGUAGES[word(language)] ? ' ' : ''}script${place}${word(outcome) === 'completed' || word(outcome) === 'exited' ? '' : ` (${word(outcome)})`}`,
  'agent.tool.approval_requested': ({ tool }, place) => `@bravo asked whether it may use ${word(tool)}${place}`,
  'agent.tool.approved': ({ tool }, place) => `${word(tool)} was approved${place}`,
  'agent.tool.denied': ({ tool }, place) => `${word(tool)} was denied${place}`,
  'agent.tool.executed': ({ tool, status }, place) =>
    // A program tells of itself, with its language.
    tool === 'execute_script'
      ? undefined
      : `@bravo used ${word(tool)}${place}${status === 'completed' ? '' : ` (${word(status)})`}`,
  'agent.grant.created': ({ operation }, place) => `A grant for ${word(operation)} was given${place}`,
  'agent.grant.revoked': (_data, place) => `A grant was taken back${place}`,
  'agent.schedule.started': ({ kind }, place) => `A ${word(kind)} began${place}`,
  'agent.schedule.ended': ({ kind }, place) => `A ${word(kind)} ended${place}`,
  'agent.turn.finished': ({ status }, place) =>
    status === 'completed' ? undefined : `@bravo's answer ended early${place}`,
};

const EVERYBODY: Readonly<Record<string, Tell>> = {
  'agent.config.changed': () => "@bravo's configuration was changed",
  'agent.definition.changed': ({ kind, layer, name, version }) =>
    layer !== 'workspace'
      ? undefined
      : `The ${kind === 'agent' ? 'agent definition' : 'skill'} ${word(name)} was ${version === 0 ? 'deleted' : 'changed'}`,
  'agent.feature.changed': ({ feature, enabled }) => `${word(feature)} was switched ${enabled === true ? 'on' : 'off'}`,
};

/** `project` is empty where the conversation is in none. */
export const tellActivity = ({ type, data }: Happening, project: string): ActivityText | undefined => {
  const everybody = Object.hasOwn(EVERYBODY, type);
  const tell = everybody ? EVERYBODY[type] : Object.hasOwn(OWN, type) ? OWN[type] : undefined;
  const text = tell?.(data, word(project) === '' ? '' : ` in ${word(project)}`);
  return text === undefined ? undefined : { text, everybody };
};
