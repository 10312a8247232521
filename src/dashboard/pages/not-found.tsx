import { Page } from '../parts/page.js'

/** An address that leads nowhere. */
export function NotFound() {
  return (
    <Page title="Nothing here">
      <p>
        This address leads nowhere. <a href="#/">Go home</a>
      </p>
    </Page>
  )
}
