import type { PageProps } from '../../parts/page.js'
import { ContactPage } from './contact-page.js'
import { ContactsList } from './contacts-list.js'

/** Whom an agent may exchange anything with. */
export function Contacts({ rest }: PageProps) {
  const [id] = rest
  return id === undefined ? <ContactsList /> : <ContactPage id={id} />
}
