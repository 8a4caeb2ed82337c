/** The doctor over HTTP: wrong settings are an answer, not an error. */
import { Controller, Inject } from '@nestjs/common';
import type { Caller } from '../callers/caller.ts';
import { TheCaller } from '../callers/caller-guard.http.ts';
import type { Input } from '../routes/route.ts';
import { Checked, Serve } from '../routes/serve.http.ts';
import type { Diagnose } from './diagnose-settings.ts';
import { DOCTOR, type DiagnosisView } from './doctor-routes.ts';

export const DIAGNOSE = Symbol('diagnose');

@Controller()
export class DoctorController {
  readonly #diagnose: Diagnose;
  constructor(@Inject(DIAGNOSE) diagnose: Diagnose) {
    this.#diagnose = diagnose;
  }

  @Serve(DOCTOR)
  doctor(@TheCaller() caller: Caller, @Checked() { query }: Input<typeof DOCTOR>): Promise<DiagnosisView> {
    return this.#diagnose(caller, query.conversation ?? '');
  }
}
