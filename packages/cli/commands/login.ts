import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { orThrow, TarmacError, type TarmacClient } from '@tarmac/client'
import { findCredentials, forgetCredentials, keepCredentials } from '../credentials.js'
import { EXIT, Failure, isPassing } from '../exit_codes.js'
import { Output, plain } from '../output.js'
import { addressOf, clientOf, type CommonOptions } from '../session.js'

/** Seconds that are added where the service asks for more time between polls. */
const SLOWER_S = 5

/** Signs in as a person, who confirms a code in the browser. */
export async function login(options: CommonOptions): Promise<void> {
  const given = options.url ?? process.env.TARMAC_URL ?? findCredentials()?.url
  if (given === undefined) throw new Failure(EXIT.usage, 'Name the service: --url or TARMAC_URL.')
  const url = addressOf(given)
  const client = clientOf(url)
  const begun = await orThrow(
    client.POST('/deviceLogin', { body: { client: `tarmac on ${hostname()}`.slice(0, 100) } })
  )
  // People read this; a script gets the result alone.
  process.stderr.write(
    `Open ${plain(begun.verificationUriComplete)}\nand confirm this code: ${plain(begun.userCode)}\n`
  )
  const credentials = await poll(client, begun)
  keepCredentials(url, credentials)
  // Never the key.
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
    const answer = await orThrow(client.POST('/deviceLogin/key', { body: { deviceCode } })).catch(
      (error: unknown) =>
        isPassing(error) || (error instanceof TarmacError && error.code)
          ? (error as Error)
          : Promise.reject(error)
    )
    if (!(answer instanceof Error)) return answer
    if (isPassing(answer)) wait += SLOWER_S
    else if (!(answer instanceof TarmacError)) throw answer
    else if (answer.code === 'slow_down') wait += SLOWER_S
    else if (answer.code === 'access_denied')
      throw new Failure(EXIT.forbidden, 'It was refused in the browser.')
    else if (answer.code === 'expired_token') break
    else if (answer.code !== 'authorization_pending') throw answer
  }
  throw new Failure(EXIT.timedOut, 'Nobody confirmed the code in time. Run "tarmac login" again.')
}

/** Forgets the sign-in of this machine. */
export function logout(options: CommonOptions): void {
  const found = findCredentials(options.url && addressOf(options.url))
  if (found) forgetCredentials(found.url)
  new Output(options.json ?? false).show({ url: found?.url ?? null }, () =>
    found
      ? `Signed out of ${found.url} here. The key ends by itself; end it at once under You in the browser.`
      : 'Nobody is signed in.'
  )
}
