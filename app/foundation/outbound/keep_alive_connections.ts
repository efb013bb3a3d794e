import http from 'node:http'
import https from 'node:https'
import type { Duplex } from 'node:stream'

/**
 * Milliseconds an unused connection is kept: shorter than what routers, balancers and
 * receivers forget one after, and shorter still where the receiver says so (`Keep-Alive`).
 */
export const MAX_IDLE_MS = 10_000

/** Most unused connections that are kept: to one destination, and altogether. */
export const MAX_IDLE_CONNECTIONS = { each: 16, all: 64 }

/** Options of a request that say where it may go. */
interface Pinned {
  /** The addresses that were checked for this very request. */
  pinnedTo?: readonly string[]
}

/**
 * Connections that may be used again, by scheme, host, port, TLS name and the addresses that
 * were checked: a request whose name resolves to others by now gets a connection of its own.
 */
export class KeepAliveConnections {
  readonly #kept = new Set<Duplex>()
  readonly #plain = keeping(http.Agent, this.#kept)
  readonly #tls = keeping(https.Agent, this.#kept)

  agentFor(url: URL): http.Agent {
    return url.protocol === 'https:' ? this.#tls : this.#plain
  }

  /** How many unused connections there are. */
  get size(): number {
    return this.#kept.size
  }

  /** Closes all of them. */
  close(): void {
    this.#plain.destroy()
    this.#tls.destroy()
  }
}

/** An agent of a kind that keeps what it may in a set. */
function keeping(Agent: typeof http.Agent | typeof https.Agent, kept: Set<Duplex>): http.Agent {
  const agent = new Agent({
    keepAlive: true,
    maxFreeSockets: MAX_IDLE_CONNECTIONS.each,
    timeout: MAX_IDLE_MS,
    scheduling: 'lifo',
  })
  const { getName, reuseSocket } = agent
  const keepSocketAlive = agent.keepSocketAlive as (socket: Duplex) => boolean
  // An answer that nobody asked for would be taken for that of the next request.
  const refuse = function (this: Duplex) {
    this.destroy()
  }
  const forget = function (this: Duplex) {
    kept.delete(this)
  }
  agent.getName = (options) => {
    const { pinnedTo = [] } = (options ?? {}) as Pinned
    return `${getName.call(agent, options)}:${[...pinnedTo].sort().join(',')}`
  }
  agent.keepSocketAlive = (socket: Duplex) => {
    if (kept.size >= MAX_IDLE_CONNECTIONS.all || socket.readableLength > 0) return false
    if (!keepSocketAlive.call(agent, socket)) return false
    kept.add(socket.once('data', refuse).once('close', forget))
    return true
  }
  agent.reuseSocket = (socket: Duplex, request: http.ClientRequest) => {
    kept.delete(socket.removeListener('data', refuse).removeListener('close', forget))
    reuseSocket.call(agent, socket, request)
  }
  return agent
}
