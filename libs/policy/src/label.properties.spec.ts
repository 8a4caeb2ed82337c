import fc from 'fast-check';
import type { Label } from './index.ts';
import { degradesTo, readLabel, relabel, taint, TRUSTED_PUBLIC } from './index.ts';
import { anyLabel, RUNS } from './facts-arbitrary.fixture.ts';

const noBetter = (label: Label, than: Label): boolean =>
  (label.integrity === 'untrusted' || than.integrity === 'trusted') &&
  (label.confidentiality === 'private' || than.confidentiality === 'public');

const isSame = (one: Label, other: Label): boolean =>
  one.integrity === other.integrity && one.confidentiality === other.confidentiality;

describe('labels [policy.labels]', () => {
  it('of what was made are no more trusted and no more public than any input, whatever the order', () => {
    fc.assert(
      fc.property(fc.array(anyLabel, { maxLength: 8 }), fc.nat(), (inputs, at) => {
        const made = taint(inputs);
        const again = [[...inputs].reverse(), [taint(inputs.slice(0, at % 9)), ...inputs.slice(at % 9)]];
        return (
          inputs.every((input) => noBetter(made, input)) &&
          again.every((some) => isSame(taint(some), made)) &&
          (inputs.length > 0 || isSame(made, TRUSTED_PUBLIC)) &&
          // Not worse than the inputs either: what is clean stays usable.
          (made.integrity === 'untrusted') === inputs.some(({ integrity }) => integrity === 'untrusted') &&
          (made.confidentiality === 'private') === inputs.some((input) => input.confidentiality === 'private')
        );
      }),
      RUNS,
    );
  });

  it('never rise by a relabel, nor by any number of them', () => {
    fc.assert(
      fc.property(anyLabel, fc.array(anyLabel, { maxLength: 6 }), (from, wishes) => {
        let label = from;
        return wishes.every((wish) => {
          const changed = relabel(label, wish);
          const isAllowed = noBetter(wish, label);
          label = changed ?? label;
          return (
            degradesTo(label, wish) === (isAllowed || isSame(label, wish)) &&
            (changed === undefined ? !isAllowed : isAllowed && isSame(changed, wish)) &&
            noBetter(label, from)
          );
        });
      }),
      RUNS,
    );
  });

  it('that came from outside are read at their worst unless they say the good word exactly', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        const label = readLabel(value);
        const said = typeof value === 'object' && value !== null ? (value as Partial<Label>) : {};
        return (
          (label.integrity === 'trusted') === (said.integrity === 'trusted') &&
          (label.confidentiality === 'public') === (said.confidentiality === 'public')
        );
      }),
      RUNS,
    );
  });
});
