/** Characters of a title in the name of a file. */
const TITLE = 40
/** Hex digits that tell files of one title apart. */
const DIGITS = 8

/**
 * The name under which a task is saved: `dinner-with-bob-9a31c0de`. Of a title, which the other side may have written, letters
 * and digits that every file system takes stay.
 */
export function fileStem(title: string, taskUid: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, TITLE)
  return [...words.split('-'), taskUid.slice(0, DIGITS)].filter((part) => part !== '').join('-')
}
