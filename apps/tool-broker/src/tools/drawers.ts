/** What a person is shown beyond the arguments, by tool. Guarantees that an effect which cannot fit what it is about is refused before anybody is asked; a tool without a row here is drawn by its arguments alone. */
import type { DrawnCall } from '@bravo/policy';
import { drawAsk } from './ask-user/ask-user.ts';
import { drawFileEdit } from './edit-file/draw-file-edit.ts';
import type { BoundEffect, EffectTools } from './effect.ts';
import { drawLsp } from './lsp/lsp.ts';
import { drawOutput } from './read-output/read-output.ts';
import { drawVetting } from './vet-content/vet-content.ts';
import { drawFileWrite } from './write-file/draw-file-write.ts';

/** @throws Fault with a public code: the call is refused with its detail, and nobody is asked. */
export type Draw = (effect: BoundEffect, tools: EffectTools) => Promise<Partial<DrawnCall>>;

export const DRAWERS: Readonly<Record<string, Draw>> = {
  write_file: drawFileWrite,
  edit_file: drawFileEdit,
  lsp: drawLsp,
  vet_content: drawVetting,
  read_output: drawOutput,
  ask_user: drawAsk,
};
