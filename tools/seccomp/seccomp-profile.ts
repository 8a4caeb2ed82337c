/** The seccomp profile as a value, made from what is allowed: one resolved OCI document that runtimes and Kubernetes take as it is. */
import {
  ALLOWED_CALLS,
  ALLOWED_WITH,
  type Condition,
  FAMILIES,
  IOCTL,
  PERSONALITIES,
  PRCTL,
  PROTOCOLS,
  REFUSED_WITH,
} from './allowed-calls.ts';

const EPERM = 1;

interface SyscallRule {
  readonly names: readonly string[];
  readonly action: 'SCMP_ACT_ALLOW' | 'SCMP_ACT_ERRNO';
  readonly errnoRet?: number;
  readonly args?: readonly object[];
}

export interface SeccompProfile {
  readonly defaultAction: 'SCMP_ACT_ERRNO';
  readonly defaultErrnoRet: number;
  readonly architectures: readonly string[];
  readonly syscalls: readonly SyscallRule[];
}

const comparison = ({ index, is, mask }: Condition): object =>
  mask === undefined
    ? { index, value: is, op: 'SCMP_CMP_EQ' }
    : { index, value: mask, valueTwo: is, op: 'SCMP_CMP_MASKED_EQ' };

const allowedWhere = (call: string, conditions: readonly Condition[]): SyscallRule => ({
  names: [call],
  action: 'SCMP_ACT_ALLOW',
  args: conditions.map(comparison),
});

/** One row per value of one argument. */
const allowedValues = (call: string, index: number, values: Readonly<Record<string, number>>): SyscallRule[] =>
  Object.values(values).map((is) => allowedWhere(call, [{ index, is }]));

export const seccompProfile = (): SeccompProfile => ({
  defaultAction: 'SCMP_ACT_ERRNO',
  defaultErrnoRet: EPERM,
  architectures: ['SCMP_ARCH_X86_64'],
  syscalls: [
    ...Object.values(ALLOWED_CALLS).map((names): SyscallRule => ({ names, action: 'SCMP_ACT_ALLOW' })),
    ...ALLOWED_WITH.flatMap(({ call, where }) => where.map((conditions) => allowedWhere(call, conditions))),
    ...Object.entries(REFUSED_WITH).map(([call, errnoRet]): SyscallRule => ({
      names: [call],
      action: 'SCMP_ACT_ERRNO',
      errnoRet,
    })),
    ...Object.values(FAMILIES).flatMap((family) =>
      Object.values(PROTOCOLS).map((protocol) =>
        allowedWhere('socket', [
          { index: 0, is: family },
          { index: 2, is: protocol },
        ]),
      ),
    ),
    allowedWhere('socketpair', [{ index: 0, is: FAMILIES.AF_UNIX }]),
    ...allowedValues('personality', 0, PERSONALITIES),
    ...allowedValues('prctl', 0, PRCTL),
    ...allowedValues('ioctl', 1, IOCTL),
  ],
});
