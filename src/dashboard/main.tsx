import { render } from 'preact'

/** Mounts the owner's page. */

const root = document.getElementById('root')
if (root !== null) render(<h1>AgentLink</h1>, root)
