import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { orThrow, TarmacError, type TarmacClient } from '@tarmac/client'
import {
  findCredentials,
  forgetCredentials,
  keepCredentials,
  type Credentials,
} from '../credentials.js'
import { EXIT, Failure, isPassing } from '../exit_codes.js'
import { Output, plain } from '../output.js'
import { addressOf, clientOf, type CommonOptions } from '../session.js'

/** Seconds that are added to the polling interval when the service asks for it. */
const SLOWER_S = 5
/** The position of the id in a key, after `tarmac_`. */
const ID = { start: 7, end: 19 } as const

/** Signs a person in, who confirms a code in the browser. */
export async function login(options: CommonOptions): Promise<void> {
  const given = options.url ?? process.env.TARMAC_URL ?? findCredentials()?.url
  if (given === undefined) throw new Failure(EXIT.usage, 'Name the service: --url or TARMAC_URL.')
  const url = addressOf(given)
  const client = clientOf(url)
  const begun = await orThrow(
    client.POST('/deviceLogin', { body: { client: `tarmac on ${hostname()}`.slice(0, 100) } })
  )
  // Instructions go to standard error, so that standard output has the result alone.
  process.stderr.write(
    `Open ${plain(begun.verificationUriComplete)}\nand confirm this code: ${plain(begun.userCode)}\n`
  )
  const credentials = await poll(client, begun)
  const former = findCredentials(url)?.credentials
  keepCredentials(url, credentials)
  if (former) await endKey(url, former)
  // The key is never printed.
  const { person, organization, expiresAt } = credentials
  new Output(options.json ?? false).show({ url, person, organization, expiresAt }, () =>
    plain(
      `Signed in to ${organization.name} as ${person.name ?? person.email} until ${expiresAt.slice(0, 10)}.`
    )
  )
}

async function poll(
  client: TarmacClient,
  { deviceCode, interval, expiresIn }: { deviceCode: string; interval: number; expiresIn: number }
) {
  const end = Date.now() + expiresIn * 1000
  let wait = interval
  while (Date.now() < end) {
    await sleep(wait * 1000)
    try {
      return await orThrow(client.POST('/deviceLogin/key', { body: { deviceCode } }))
    } catch (error) {
      const code = error instanceof TarmacError ? error.code : undefined
      if (isPassing(error) || code === 'slow_down') wait += SLOWER_S
      else if (code === 'access_denied')
        throw new Failure(EXIT.forbidden, 'It was refused in the browser.')
      else if (code === 'expired_token') break
      else if (code !== 'authorization_pending') throw error
    }
  }
  throw new Failure(EXIT.timedOut, 'Nobody confirmed the code in time. Run "tarmac login" again.')
}

/** Revokes the sign-in of this machine, and deletes it. */
export async function logout(options: CommonOptions): Promise<void> {
  const given = options.url ?? process.env.TARMAC_URL
  const found = findCredentials(given && addressOf(given))
  const hasEnded = found && (await endKey(found.url, found.credentials))
  if (found) forgetCredentials(found.url)
  new Output(options.json ?? false).show({ url: found?.url ?? null, hasEnded }, () => {
    if (!found) return 'Nobody is signed in.'
    const left = ' The service did not end the key: end it under You in the browser.'
    return `Signed out of ${found.url}.${hasEnded ? '' : left}`
  })
}

/** Revokes the key of a sign-in. Returns false if the key may still be valid. */
async function endKey(url: string, { key, organization }: Credentials): Promise<boolean> {
  const path = { orgId: organization.id, apiKeyId: key.slice(ID.start, ID.end) }
  return clientOf(url, key)
    .DELETE('/org/{orgId}/apiKey/{apiKeyId}', { params: { path } })
    .then(
      ({ response }) => response.ok || response.status === 401,
      () => false
    )
}
