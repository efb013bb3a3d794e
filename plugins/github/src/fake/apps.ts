import {
  createPublicKey,
  generateKeyPairSync,
  randomUUID,
  verify,
  type KeyObject,
} from 'node:crypto'
import { notFound, Refusal } from './answers.js'

/** The credentials of an App with one installation. */
export type InstalledApp = Record<'appId' | 'installationId' | 'privateKey', string>

/** The App that a manifest creates, and the installation of every App. */
const CREATED = '12345'
const INSTALLATION = '4711'

/** Makes an App with a new key, in the format in which GitHub hands keys out. */
export function makeApp(appId = CREATED): InstalledApp {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  })
  return { appId, installationId: INSTALLATION, privateKey }
}

/** Lifetime of a token of an installation, in milliseconds. */
const TOKEN_MS = 3_600_000
/** The longest lifetime of an App's JSON web token that GitHub accepts, in seconds. */
const MAX_JWT_SECONDS = 600

const DOCUMENTATION =
  'https://docs.github.com/rest/apps/apps#create-an-installation-access-token-for-an-app'

/** GitHub's texts about a JSON web token that it refuses. */
const UNREADABLE = 'A JSON web token could not be decoded'
const ISSUED_AT =
  "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued"
const EXPIRED =
  "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires"
const TOO_LATE = "'Expiration time' claim ('exp') is too far in the future"

/** GitHub's Apps: their keys, and the tokens of their installations. */
export class FakeApps {
  /** Public keys by App: an App may have several. */
  readonly #keys = new Map<string, KeyObject[]>()
  readonly #codes = new Set<string>()
  readonly #ends = new Map<string, number>()

  /** @param now the time in milliseconds */
  constructor(
    apps: readonly InstalledApp[],
    private readonly now: () => number
  ) {
    for (const each of apps) this.#register(each)
  }

  #register({ appId, privateKey }: InstalledApp): void {
    this.#keys.set(appId, [...(this.#keys.get(appId) ?? []), createPublicKey(privateKey)])
  }

  /**
   * Plays a person who creates an App from a manifest. Returns the code that their browser gets.
   */
  submitManifest(): string {
    const code = randomUUID()
    this.#codes.add(code)
    return code
  }

  /** Returns the App of a code, which works once. */
  convert(code: string): Response {
    if (!this.#codes.delete(code)) throw notFound()
    const created = makeApp()
    this.#register(created)
    return Response.json(
      {
        ...{ id: Number(CREATED), slug: 'tarmac', name: 'Tarmac', client_id: 'Iv1.1' },
        ...{ client_secret: 'secret', webhook_secret: null, pem: created.privateKey },
        html_url: 'https://github.com/apps/tarmac',
      },
      { status: 201 }
    )
  }

  /**
   * Returns a token of an installation.
   * @param permissions null for a server that states none
   */
  giveToken(
    { url, headers }: Request,
    permissions: Readonly<Record<string, string>> | null
  ): Response {
    this.#requireSigned(bearerOf(headers))
    const [, installation] = /installations\/([^/]+)\//.exec(url) ?? []
    if (installation !== INSTALLATION) {
      throw new Refusal(404, 'Not Found', undefined, DOCUMENTATION)
    }
    const token = `ghs_${randomUUID()}`
    const until = this.now() + TOKEN_MS
    this.#ends.set(token, until)
    return Response.json(
      {
        token,
        expires_at: new Date(until).toISOString(),
        ...(permissions === null ? {} : { permissions }),
        repository_selection: 'selected',
      },
      { status: 201 }
    )
  }

  /** @throws Refusal in GitHub's words */
  #requireSigned(jwt: string): void {
    const [header = '', payload = '', signature = ''] = jwt.split('.')
    const { alg } = membersIn(header)
    const { iss, iat, exp } = membersIn(payload)
    if (alg !== 'RS256' || iss === undefined) throw new Refusal(401, UNREADABLE)
    const keys = this.#keys.get(String(iss))
    if (!keys) throw notFound('Integration not found')
    const signed = Buffer.from(`${header}.${payload}`)
    const given = Buffer.from(signature, 'base64url')
    if (!keys.some((key) => verify('sha256', signed, key, given))) {
      throw new Refusal(401, UNREADABLE)
    }
    const now = this.now() / 1000
    // GitHub documents no tolerance.
    if (!isSeconds(iat) || iat > now) throw new Refusal(401, ISSUED_AT)
    if (!isSeconds(exp) || exp <= now) throw new Refusal(401, EXPIRED)
    if (exp > now + MAX_JWT_SECONDS) throw new Refusal(401, TOO_LATE)
  }

  /** Returns whether a token is one of an installation, and has not expired. */
  knows(token: string): boolean {
    const end = this.#ends.get(token)
    return end !== undefined && end >= this.now()
  }
}

export const bearerOf = (headers: Headers) =>
  headers.get('authorization')?.replace('Bearer ', '') ?? ''

const isSeconds = (claim: unknown): claim is number => Number.isInteger(claim)

/** Returns the members of a part of a JSON web token; none if it is unreadable. */
function membersIn(part: string): Readonly<Record<string, unknown>> {
  try {
    const members: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return (members ?? {}) as Record<string, unknown>
  } catch {
    return {}
  }
}
