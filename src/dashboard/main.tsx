import { render } from 'preact'
import { App } from './app.js'

/** Mounts the owner's page. */

const root = document.getElementById('root')
if (root !== null) render(<App />, root)
