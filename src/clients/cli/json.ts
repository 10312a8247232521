// DEL, C1 controls, zero-width, bidi and tag characters, line separators: legal in JSON text, but able to lie on a screen.
const TREACHEROUS =
  /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g

/**
 * One line of JSON that is safe to show on a terminal: characters that could move, hide or reorder what is seen stand as
 * `\uXXXX`. A reader of the JSON gets exactly the same value.
 */
export function asJson(value: unknown): string {
  return JSON.stringify(value).replace(TREACHEROUS, (text) =>
    [...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')
  )
}
