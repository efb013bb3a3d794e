import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWK, type JWTPayload } from 'jose'
import { clock } from '#foundation/core/services'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** An issuer of tokens on loopback, which signs any claims. */
export class Issuer {
  url = ''
  /** Members that replace those of its configuration. */
  about: Record<string, unknown> = {}
  jwks: (JWK | null)[] = []
  /** The status of its answers. */
  status = 200
  /** The number of times that its keys were read. */
  asked = 0
  /** The number of all requests. */
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

  /** Signs with another key from now on, and publishes that key alone. */
  async rotate(kid: string): Promise<void> {
    this.#keys = await generateKeyPair('RS256', { extractable: true })
    this.#kid = kid
    this.jwks = [{ ...(await exportJWK(this.#keys.publicKey)), kid, alg: 'RS256', use: 'sig' }]
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((done) => this.#server.close(done))
  }

  /** Returns the public key as a text, to misuse it as a secret. */
  publicText = () => JSON.stringify(this.jwks[0])

  /**
   * Signs a token, which is valid for five minutes, by default for a run of GitHub Actions.
   * @param claims replace the default claims; undefined removes a claim
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

/** Returns GitHub's claims about a run on the branch main. */
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

/** GitLab's claims, all of them, about a run on the branch main of a project below the issuer. */
export const gitlabClaims = (issuer: string) => ({
  jti: `job-${process.pid}-${count++}`,
  sub: 'project_path:acme/apps/ios:ref_type:branch:ref:main',
  namespace_id: '7',
  namespace_path: 'acme/apps',
  project_id: '22',
  project_path: 'acme/apps/ios',
  project_visibility: 'private',
  user_id: '5',
  user_login: 'ada',
  user_email: 'ada@acme.example',
  user_access_level: 'maintainer',
  pipeline_id: '574',
  pipeline_source: 'push',
  job_id: '302',
  ref: 'main',
  ref_type: 'branch',
  ref_path: 'refs/heads/main',
  ref_protected: 'true',
  environment: 'stores',
  environment_protected: 'false',
  deployment_tier: 'production',
  runner_id: 1,
  runner_environment: 'self-hosted',
  sha: '9f2c1d7e5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d',
  ci_config_ref_uri: `${new URL(issuer).host}/acme/apps/ios//.gitlab-ci.yml@refs/heads/main`,
  ci_config_sha: '9f2c1d7e5a4b3c2d1e0f9a8b7c6d5e4f3a2b1c0d',
})

/** Changes claims of a token, but not its signature. */
export function changed(token: string): string {
  const [head, body, signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const other = Buffer.from(
    JSON.stringify({ ...claims, repository: 'acme/app', ref: 'refs/heads/main ' })
  )
  return [head, other.toString('base64url'), signature].join('.')
}
