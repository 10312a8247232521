/** What is said of offers. Source: protocols/socket-api.md, "Views". */

/** What an agent offers its contacts. `price`: decimal digits of SOL. */
export interface OfferView {
  readonly offerId: string
  readonly title: string
  readonly description: string
  readonly deliverable: string
  readonly price: string
  readonly turnaroundHours: number
}

/** What a contact offers, in its own words. */
export interface ContactOffersView {
  /** `al1…` of the contact. */
  readonly contact: string
  readonly items: readonly OfferView[]
  /** When its list came, ISO 8601; absent when none ever did. */
  readonly receivedAt?: string
}
