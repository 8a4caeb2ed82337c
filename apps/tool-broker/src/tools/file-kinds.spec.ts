import { describe, expect, it } from '@jest/globals';
import { mediaTypeOf } from './file-kinds.ts';

describe('what a file is [processor.pictures]', () => {
  it('is told by its last extension alone', () => {
    expect(mediaTypeOf('a/cat.PNG')).toBe('image/png');
    expect(mediaTypeOf('paper.pdf')).toBe('application/pdf');
    expect(mediaTypeOf('cat.png.txt')).toBeUndefined();
    expect(mediaTypeOf('png')).toBeUndefined();
    expect(mediaTypeOf('a.constructor')).toBeUndefined();
  });
});
