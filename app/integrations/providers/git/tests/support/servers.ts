import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { TestContext } from '@japa/runner/core'
import { launchGit } from '../../program/launcher.js'
import { writeScript } from './repositories.js'

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Certificate of our https server. */
export const CERTIFICATE = here('localhost_certificate.pem')
export const KEY = here('localhost_key.pem')

/** Runs what git asks for on the other side: the last argument, as a server's shell would. */
export const SERVE = 'for last; do :; done; exec sh -c "$last"'

/**
 * Puts a program into the place of ssh: a server without a network.
 * @param script what it does; `SERVE` serves
 */
export function fakeSsh(cleanup: TestContext['cleanup'], folder: string, script: string): void {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeScript(join(bin, 'ssh'), `if [ "$1" = "-G" ]; then exit 0; fi\n${script}`)
  const before = process.env.PATH
  process.env.PATH = `${bin}${delimiter}${before}`
  cleanup(() => void (process.env.PATH = before))
}

export interface GitServer {
  /** `https://localhost:<port>` */
  base: string
  /** Authorization headers that came, in order. */
  authorizations: (string | undefined)[]
  server: Server
}

interface Serving {
  root: string
  /** `user:password`; everybody where it is absent. */
  account?: string
  /** True if access is read-only. */
  isReadOnly?: boolean
  /** An answer to everything. */
  status?: number
  /** Ends the connection once the repository has taken a push, before saying so. */
  losesAnswers?: () => boolean
}

/** Returns a server of git by https, with the program that git has for it. */
export async function serveGit(
  cleanup: TestContext['cleanup'],
  serving: Serving
): Promise<GitServer> {
  const authorizations: (string | undefined)[] = []
  const options = { key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) }
  const server = createServer(options, async (request, response) => {
    const { authorization } = request.headers
    authorizations.push(authorization)
    const result = (status: number, headers = {}) => {
      request.resume()
      response.writeHead(status, headers).end('Nothing to see')
    }
    if (serving.status !== undefined) return result(serving.status, { Location: '/elsewhere' })
    const wanted = serving.account && `Basic ${btoa(serving.account)}`
    if (wanted && authorization !== wanted) {
      return result(401, { 'WWW-Authenticate': 'Basic realm="git"' })
    }
    const url = new URL(request.url!, 'https://localhost')
    const isWrite = /git-receive-pack/.test(url.pathname + url.search)
    if (isWrite && serving.isReadOnly) return result(403)
    const { status, headers, body } = await askBackend(request, serving.root)
    const isPush = isWrite && request.method === 'POST'
    if (isPush && serving.losesAnswers?.()) return void request.socket.destroy()
    response.writeHead(status, headers).end(body)
  })
  server.listen(0, 'localhost')
  await once(server, 'listening')
  cleanup(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { base: `https://localhost:${port}`, authorizations, server }
}

/** Returns the answer of git's server program for the repositories below a folder. */
export async function askBackend(
  request: IncomingMessage,
  root: string
): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
  const url = new URL(request.url!, 'https://localhost')
  // An aborted request has no effect.
  const input = await buffer(request).catch(() => Buffer.alloc(0))
  const env = {
    PATH: process.env.PATH ?? '',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    REMOTE_USER: 'somebody',
    REMOTE_ADDR: '127.0.0.1',
    REQUEST_METHOD: request.method ?? 'GET',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  }
  const backend = launchGit({ args: ['http-backend'], env, input }, () => {})
  const chunks: Buffer[] = []
  for await (const chunk of backend.stdout()) chunks.push(chunk)
  const whole = Buffer.concat(chunks)
  const end = whole.indexOf('\r\n\r\n')
  const lines = whole.subarray(0, end).toString('utf8').split('\r\n')
  const { Status: status = '200', ...headers } = Object.fromEntries(
    lines.map((line) => line.split(': ', 2) as [string, string])
  )
  return { status: Number(status.slice(0, 3)), headers, body: whole.subarray(end + 4) }
}
