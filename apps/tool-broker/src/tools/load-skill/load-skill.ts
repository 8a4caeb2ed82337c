/** Hands over the text of a skill that holds. A name that is none, or nearly one, is refused and never guessed at. */
import { type Execute, failed } from '../effect.ts';

export const loadSkill: Execute = async ({ call, who }, { definitions }) => {
  const name = call.arguments['name'];
  const skill = typeof name === 'string' ? await definitions.findSkill(who, name) : undefined;
  if (skill === undefined)
    return failed('not_found', 'There is no skill of that name. Use a name exactly as it was listed to you.');
  return {
    status: 'completed',
    summary: [`The skill ${skill.name}, of the ${skill.level}.`],
    outputs: [
      { origin: 'text of the skill', name: '', kind: 'text', content: Buffer.from(skill.body), paths: ['trusted'] },
    ],
  };
};
