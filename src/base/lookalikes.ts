/**
 * Letters of other alphabets that pass for Latin ones in common fonts. A reading aid for owners, not a rule between
 * nodes: nothing that two nodes must agree on depends on it.
 */
const LOOKALIKES =
  // Cyrillic
  'АВСЕНІЈКМОРԚЅТԜХУҮѴаасеԁһіјӏорԛѕԝхуүѵӕƄЬбгпк' +
  // Greek
  'ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαινορτυκγωηϲϳ' +
  // Armenian
  'ՍՏՕԱԼաոօսցհքզոլ'

const KNOWN: ReadonlySet<string> = new Set(LOOKALIKES)

/** Whether the letter can be taken for a Latin one. */
export function isLookalike(letter: string): boolean {
  return KNOWN.has(letter)
}
