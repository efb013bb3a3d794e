import { orThrow } from '@tarmac/client'
import { EXIT, Failure } from './exit_codes.js'
import { Output } from './output.js'
import { addressOf, clientOf, openSession, type CommonOptions, type Session } from './session.js'

/** A key is replaced this long before it expires. */
const RENEWED_BEFORE_MS = 60_000

/**
 * Opens a session of a CI run: with `TARMAC_API_KEY`, else with a key in exchange for the token
 * that the CI provider signed. The key is not stored.
 */
export async function openRun(options: CommonOptions, app: string | undefined): Promise<Session> {
  const { TARMAC_URL, TARMAC_API_KEY, TARMAC_ORG } = process.env
  const given = options.url ?? TARMAC_URL
  const orgId = options.org ?? TARMAC_ORG
  if (TARMAC_API_KEY || !given || !orgId || !app) return openSession(options)
  const url = addressOf(given)
  const token = await tokenOf(url)
  if (token === null) return openWithoutToken(options)
  const exchange = async (each: string) => {
    const body = { orgId, appId: app, token: each }
    const { key, expiresAt } = await orThrow(clientOf(url).POST('/keylessKey', { body }))
    return { key, endsAt: Date.parse(expiresAt) }
  }
  let latest = await exchange(token)
  const session = { url, out: new Output(options.json ?? false), organizationId: () => orgId }
  // GitLab gives a job one token, which works once.
  if (process.env.TARMAC_ID_TOKEN)
    return { ...session, client: clientOf(url, latest.key), endsAt: latest.endsAt }
  const currentKey = async () => {
    if (latest.endsAt - Date.now() < RENEWED_BEFORE_MS)
      latest = await exchange((await tokenOf(url))!)
    return latest.key
  }
  return { ...session, client: clientOf(url, latest.key, currentKey) }
}

/** Opens the session of a sign-in. @throws Failure if there is none, with what the job lacks in CI */
function openWithoutToken(options: CommonOptions): Session {
  try {
    return openSession(options)
  } catch (error) {
    const { GITHUB_ACTIONS, GITLAB_CI } = process.env
    const lacks = GITHUB_ACTIONS ? LACKS.github : GITLAB_CI ? LACKS.gitlab : null
    if (!(error instanceof Failure) || error.exit !== EXIT.signedOut || lacks === null) throw error
    throw new Failure(EXIT.signedOut, `${lacks} Or set TARMAC_API_KEY.`)
  }
}

/** The setting that a job lacks if its CI provider offers no token. */
const LACKS = {
  github:
    'GitHub offers this job no token to exchange for a key: give the job "permissions: id-token: write".',
  gitlab:
    'GitLab offers this job no token to exchange for a key: give the job "id_tokens" with TARMAC_ID_TOKEN, whose "aud" is the address of the service.',
} as const

/** Returns the token that the CI provider signed for the service; null if there is none. */
async function tokenOf(audience: string): Promise<string | null> {
  const { TARMAC_ID_TOKEN, ACTIONS_ID_TOKEN_REQUEST_URL, ACTIONS_ID_TOKEN_REQUEST_TOKEN } =
    process.env
  // GitLab puts the token into this variable if the job configures it.
  if (TARMAC_ID_TOKEN) return TARMAC_ID_TOKEN
  if (!ACTIONS_ID_TOKEN_REQUEST_URL) return null
  const url = new URL(ACTIONS_ID_TOKEN_REQUEST_URL)
  url.searchParams.set('audience', audience)
  const response = await fetch(url, {
    headers: { authorization: `bearer ${ACTIONS_ID_TOKEN_REQUEST_TOKEN}` },
  })
  if (!response.ok) throw new Failure(EXIT.failed, `GitHub gave no token: ${response.status}.`)
  return ((await response.json()) as { value: string }).value
}
