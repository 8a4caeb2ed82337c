/** Finds letters that pose as Latin ones: in a word that mixes scripts, or in one that is made of look-alikes alone. Guarantees that a word of one honest script stays as it is; it must never mark plain ASCII. */

/** Letters, digits and what holds names together, so that `pаypal.com` is looked at part by part. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Scripts with letters drawn like Latin ones. */
const ALIKE =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Coptic}]/u;
/** Letters of those scripts that look like a Latin letter in common fonts. */
const TWINS = new Set('аеорсухіјѕԁһӏԛԝуАВЕКМНОРСТУХІЈЅԌԚԜоαικνορτυωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ');

/** Places (UTF-16) of letters to be marked. */
export function findPosing(value: string): ReadonlySet<number> {
  const places = new Set<number>();
  for (const match of value.matchAll(WORD)) {
    const word = match[0];
    const letters = [...word];
    const mixes =
      letters.some((letter) => LATIN.test(letter) && !isStyled(letter)) && letters.some((letter) => ALIKE.test(letter));
    const posesWhole =
      letters.length > 1 &&
      letters.every((letter) => TWINS.has(letter) || /\p{N}/u.test(letter)) &&
      letters.some((letter) => TWINS.has(letter));
    let at = match.index;
    for (const letter of letters) {
      if (isStyled(letter) || ((mixes || posesWhole) && ALIKE.test(letter))) places.add(at);
      at += letter.length;
    }
  }
  return places;
}

/** Full-width, mathematical and other letters that are drawn like an ASCII one and are none. */
function isStyled(letter: string): boolean {
  return letter > '\u007f' && /^[A-Za-z0-9]$/.test(letter.normalize('NFKC'));
}
