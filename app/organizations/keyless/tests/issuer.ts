import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose'
import { clock } from '#foundation/core/services'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** An issuer of tokens on loopback, which signs whatever it is asked to. */
export class Issuer {
  url = ''
  /** Further members of its description, and its keys. */
  about: Record<string, unknown> = {}
  jwks: (JWK | null)[] = []
  /** Answers this status in place of them. */
  status = 200
  /** Times that its keys were read. */
  asked = 0
  /** Times that it was asked for anything. */
  requests = 0
  #keys!: Keys
  #kid = 'first'

  readonly #server = http.createServer((request, response) => {
    const isAbout = request.url?.endsWith('/.well-known/openid-configuration')
    const about = { issuer: this.url, jwks_uri: `${this.url}/keys`, ...this.about }
    this.requests += 1
    if (!isAbout) this.asked += 1
    response.writeHead(this.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isAbout ? about : { keys: this.jwks }))
  })

  async start(): Promise<this> {
    await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done))
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    await this.rotate('first')
    return this
  }

  /** Signs with another key from now on, and publishes no other. */
  async rotate(kid: string): Promise<void> {
    this.#keys = await generateKeyPair('RS256', { extractable: true })
    this.#kid = kid
    this.jwks = [{ ...(await exportJWK(this.#keys.publicKey)), kid, alg: 'RS256', use: 'sig' }]
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  /** The public key as a text, as somebody would take it for a secret. */
  publicText = () => JSON.stringify(this.jwks[0])

  /**
   * Signs a token of a run of GitHub Actions, which lives for five minutes.
   * @param claims replace what the token says; undefined takes a claim away
   */
  token(
    claims: JWTPayload = {},
    { key, alg = 'RS256', kid = this.#kid }: Signed = {}
  ): Promise<string> {
    const now = Math.floor(clock.milliseconds() / 1000)
    const all = { ...githubClaims(), iss: this.url, iat: now, nbf: now, exp: now + 300, ...claims }
    return new SignJWT(all)
      .setProtectedHeader({ alg, kid, typ: 'JWT' })
      .sign(key ?? this.#keys.privateKey)
  }
}

interface Signed {
  key?: Parameters<SignJWT['sign']>[0]
  alg?: string
  kid?: string
}

let count = 0

/** The claims of GitHub about a run on the branch main. */
export const githubClaims = (): JWTPayload => ({
  jti: `run-${process.pid}-${count++}`,
  sub: 'repo:acme/app:ref:refs/heads/main',
  aud: 'https://tarmac.acme.example',
  repository: 'acme/app',
  repository_id: '74',
  ref: 'refs/heads/main',
  workflow_ref: 'acme/app/.github/workflows/release.yml@refs/heads/main',
  event_name: 'push',
  run_id: '4113',
  actor: 'ada',
})

/** A token with another content under the same signature: for another repository. */
export function changed(token: string): string {
  const [head, body, signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const other = Buffer.from(
    JSON.stringify({ ...claims, repository: 'acme/app', ref: 'refs/heads/main ' })
  )
  return [head, other.toString('base64url'), signature].join('.')
}
