/** The health of a process as a module: every app imports this one, so /healthz and /readyz are the same everywhere. */
import { type DynamicModule, Module } from '@nestjs/common';
import { HealthController, READINESS, type Readiness } from './health.ts';

@Module({})
export class HealthModule {
  static with(readiness: Readiness): DynamicModule {
    return {
      module: HealthModule,
      controllers: [HealthController],
      providers: [{ provide: READINESS, useValue: readiness }],
    };
  }
}
