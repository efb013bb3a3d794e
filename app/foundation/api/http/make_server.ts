import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { refuse, type Problem } from '../../core/problems/problem.js'
import { endWithProblem, problemBytes } from './plain_problem.js'

/** Milliseconds in which a client may read why its request was refused. */
const LAST_WORDS_MS = 2000

/**
 * Keep-alive timeout in milliseconds. It is longer than that of proxies and load balancers (mostly
 * a minute), which would otherwise send a request into a closing connection.
 */
const KEPT_MS = 75_000

/**
 * Makes a server whose every refusal is a problem, even one by the HTTP parser: invalid HTTP, a
 * head that is too large or too slow, an unknown expectation. A request must name exactly one host
 * (RFC 9112, section 3.2).
 * @param publicUrl address people reach the service at; empty if it is not known
 */
export function makeServer(
  handler: RequestListener,
  publicUrl: string,
  options: ServerOptions = {}
): Server {
  const answering = new WeakMap<Duplex, ServerResponse>()
  // The host is checked here: Node refuses a missing one without a reason, and accepts two.
  const server = createServer(
    { keepAliveTimeout: KEPT_MS, ...options, requireHostHeader: false },
    (request, response) => {
      answering.set(request.socket, response)
      const problem = hostProblem(request)
      if (problem) endWithProblem(request, response, problem, publicUrl)
      else handler(request, response)
    }
  )
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const detail = 'The only expectation this service meets is 100-continue.'
    endWithProblem(request, response, refuse('expectation_failed', { detail }), publicUrl)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const response = answering.get(socket)
    const isWithinAnswer = response?.headersSent && !response.writableFinished
    if (!socket.writable || error.code === 'ECONNRESET' || isWithinAnswer) {
      socket.destroy()
      return
    }
    socket.end(problemBytes(parserProblem(error), publicUrl))
    // Ends the connection even if the client goes on sending.
    setTimeout(() => socket.destroy(), LAST_WORDS_MS).unref()
  })
  return server
}

/** Returns the fault of the Host header; null if it is valid. */
function hostProblem({ rawHeaders, httpVersion }: IncomingMessage): Problem | null {
  const hosts = rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'host'
  ).length
  const isMissing = hosts === 0 && httpVersion === '1.1'
  if (hosts < 2 && !isMissing) return null
  const detail = `The header Host is ${isMissing ? 'missing' : 'given twice'}.`
  return refuse('malformed_request', { detail, isHostRefused: true })
}

/** Returns the problem of a request that Node's parser refused, by its code. */
function parserProblem({ code }: NodeJS.ErrnoException): Problem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return refuse('headers_too_large', { detail: 'The request line and headers exceed 16 KiB.' })
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return refuse('too_large', { detail: 'The extensions of a chunk exceed 16 KiB.' })
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return refuse('request_timeout', { detail: 'The request did not arrive in time.' })
    default:
      return refuse('malformed_request', { detail: 'This is not HTTP/1.1.' })
  }
}
