/** An edit as a diff of the very file it is bound to. */
import type { Draw } from '../drawers.ts';
import { planFileEdit } from './plan-file-edit.ts';

export const drawFileEdit: Draw = async (effect, tools) => {
  const { landing, before, after } = await planFileEdit(effect, tools);
  return {
    change: { place: landing, before: { kind: 'text', text: before }, after: { kind: 'text', text: after } },
  };
};
