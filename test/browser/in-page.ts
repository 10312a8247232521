/** What tests have a browser run in a page, as text: this program itself has no page. */

/** Lets it draw what was asked for. */
export const FRAMES = `(async () => {
  for (let i = 0; i < 3; i++) await new Promise((done) => requestAnimationFrame(done))
})()`

/** What `LOOK` finds. */
export interface Found {
  readonly tags: readonly string[]
  /** Whether a text ran. */
  readonly ran: boolean
  readonly handlers: number
  /** Attributes that lead or load somewhere else. */
  readonly leading: readonly string[]
  /** Texts with controls, directions or what takes no room: not written out, they change how the rest is read. */
  readonly unseen: readonly string[]
  /** Pixels by which the page is wider than the screen. */
  readonly tooWide: number
  readonly polluted: number
  readonly at: string
}

/** What should not be on a page of ours. */
export const LOOK = String.raw`(() => {
  const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/
  const OWN = /^(#|\/dashboard\/assets\/|data:,$)/
  const all = [...document.querySelectorAll('*')]
  const attributes = all.flatMap((element) => [...element.attributes])
  const texts = all
    .flatMap((element) => [...element.childNodes])
    .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    .map(({ nodeValue }) => nodeValue ?? '')
  const told = attributes
    .filter(({ name }) => /^(title|alt|placeholder|aria-label)$/.test(name))
    .map(({ value }) => value)
  const { scrollWidth, clientWidth } = document.documentElement
  return {
    ran: 'pwned' in window,
    tags: [...new Set(all.map((element) => element.localName))],
    handlers: attributes.filter(({ name }) => /^on/i.test(name)).length,
    leading: attributes
      .filter(
        ({ name, value }) => /^(href|src|srcdoc|action|formaction|style|xlink:href)$/i.test(name) && !OWN.test(value)
      )
      .map(({ name, value }) => name + '=' + value.slice(0, 60)),
    unseen: [...texts, ...told].filter((text) => UNSEEN.test(text)).map((text) => text.slice(0, 60)),
    tooWide: scrollWidth - clientWidth,
    polluted: Object.keys(Object.prototype).length,
    at: window.location.href
  }
})()`
