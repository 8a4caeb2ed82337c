import { describe, expect, it } from '@jest/globals';
import {
  FAULTS,
  Fault,
  GRPC_STATUS,
  faultCodeOfGrpcStatus,
  grpcStatusOf,
  isFaultCode,
  toFault,
  toProblem,
} from './index.ts';

describe('the fault catalogue', () => {
  it.each(Object.entries(FAULTS))('%s has a known gRPC status, an error HTTP status and a title', (code, row) => {
    expect(isFaultCode(code)).toBe(true);
    expect(GRPC_STATUS[row.grpc]).toBeGreaterThan(0);
    expect(row.http).toBeGreaterThanOrEqual(400);
    expect(row.http).toBeLessThan(600);
    expect(row.title.length).toBeGreaterThan(5);
  });

  it('maps a bare status to a fault of the same status', () => {
    for (const status of [3, 4, 5, 7, 8, 10, 12, 13, 14, 16]) {
      expect(grpcStatusOf(faultCodeOfGrpcStatus(status))).toBe(status);
    }
    expect(faultCodeOfGrpcStatus(2)).toBe('internal');
  });

  it('builds a problem from the code and lets no extra overwrite a member', () => {
    const fault = new Fault('already_decided', 'It was approved by alice.', { meta: { status: '200', field: 'x' } });
    expect(toProblem(fault, 'ref_1')).toEqual({
      type: 'urn:bravo:fault:already_decided',
      title: 'The question was answered before',
      status: 409,
      detail: 'It was approved by alice.',
      code: 'already_decided',
      reference: 'ref_1',
      field: 'x',
    });
  });

  it('keeps the text of an unknown error out of what travels', () => {
    const problem = toProblem(toFault(new Error('password=hunter2')), 'ref_2');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
    expect(problem.code).toBe('internal');
    expect(problem.detail).toContain('ref_2');
  });
});
