import './polyfill.js'
import { webSockets } from '@libp2p/websockets'
import type { createLibp2p } from 'libp2p'
import { WebSocket } from 'ws'

/** The websocket transport, loaded only for a host that takes websockets. Dialling needs a `WebSocket` that Node 20 lacks. */
type Transports = NonNullable<NonNullable<Parameters<typeof createLibp2p>[0]>['transports']>

export function webSocketTransport(): Transports[number] {
  if (!('WebSocket' in globalThis)) {
    Object.defineProperty(globalThis, 'WebSocket', { configurable: true, writable: true, value: WebSocket })
  }
  return webSockets()
}
